import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/cli/probe/report.ts';
import { probeReport, reportLines } from '../e2e/probe/run-probe.ts';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { newest } from '../simulator/profiles.ts';
import { exe, missing, suitePrefix } from './suite.ts';

/** Wine's IP Helper reports this interface on every machine; the simulated service does not name it. */
const adapters = [{ name: 'lo', managementIp: '127.0.0.1' }];
const words = ['--yes'];

/** Runs the exe's probe. */
function run(hns: Hns, given: readonly string[], signal?: AbortSignal) {
  const { WIN_HCN_SIMULATED_HNS } = hns.environment;
  return suitePrefix().run(exe, ['probe', ...given], {
    env: { WIN_HCN_SIMULATED_HNS },
    ...(signal && { signal }),
  });
}

/** The report of the exe on a simulated service with these options. */
async function report(options: HnsOptions): Promise<Report> {
  const hns = await startHns({ adapters, ...options });
  try {
    return JSON.parse((await run(hns, [...words, '-o', 'json'])).stdout);
  } finally {
    await hns.stop();
  }
}

describe.skipIf(missing !== undefined)('the shipped exe', () => {
  test('reports what this process reports', async () => {
    const expected = reportLines(await probeReport({ profile: newest, adapters }, words));
    expect(reportLines(await report({ profile: newest }))).toBe(expected);
  }, 300_000);

  test('is killed after HcnCreateNamespace, and the next probe deletes what it left', async () => {
    const hns = await startHns({ adapters });
    const before = hns.dump().namespaces;
    hns.inject({ function: 'HcnCreateNamespace', ordinal: 1, effect: { hold: 'after' } });
    const controller = new AbortController();
    const killed = run(hns, ['--yes'], controller.signal).catch(() => undefined);
    await hns.nextStanding();
    controller.abort();
    await killed;
    hns.release();
    expect(hns.dump().networks).not.toEqual([]);
    const { exitCode } = await run(hns, ['--row', 'attachTwice', '--yes']);
    const { networks, endpoints, namespaces, loadBalancers } = hns.dump();
    await hns.stop();
    expect({ exitCode, networks, endpoints, namespaces, loadBalancers }).toEqual({
      exitCode: 0,
      networks: [],
      endpoints: [],
      namespaces: before,
      loadBalancers: [],
    });
  });
});
