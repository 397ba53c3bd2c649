import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/cli/probe/report.ts';
import { rows } from '../../src/cli/probe/rows.ts';
import { fewNodes, observedPositions } from '../e2e/probe/positions.ts';
import { probeReport, reportLines } from '../e2e/probe/run-probe.ts';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { newest, profileNames, switchesOf } from '../simulator/profiles.ts';
import { exe, missing, suitePrefix } from './suite.ts';

/** Wine's IP Helper reports this interface on every machine. */
const adapters = [{ name: 'lo', managementIp: '127.0.0.1' }];
/** Wine's IP Helper and PowerShell answer these rows, not the simulated service; the last one measures time. */
const answeredByWine = [
  'filterDrivers',
  'providerInterface',
  'adapterIndex',
  'virtualAdapterMac',
  'hostDefaultRoute',
  'enumerationUnderLoad',
];
const ids = rows.map(({ id }) => id).filter((id) => !answeredByWine.includes(id));
const words = ['--nat', '--adapter', 'lo', '--yes', ...ids.flatMap((id) => ['--row', id])];
/** Each call that hangs costs 30 s here. */
const positions = observedPositions.filter(
  ({ name, position }) => position !== 'hangs' && !answeredByWine.includes(name),
);

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
  test('reports what this process reports: on every profile, and on nodes that have every other position', async () => {
    const usual = switchesOf[newest];
    const others = positions.filter(({ name, position }) => usual[name] !== position);
    const nodes: readonly HnsOptions[] = [
      ...profileNames.map((profile) => ({ profile, adapters })),
      ...(await fewNodes(others, words, { adapters })),
    ];
    const expected: string[] = [];
    for (const node of nodes) expected.push(reportLines(await probeReport(node, words)));
    const reports: Report[] = [];
    // All at once, they would slow down each other up to the time limit of a program.
    for (let next = 0; next < nodes.length; next += 3)
      reports.push(...(await Promise.all(nodes.slice(next, next + 3).map(report))));
    expect(reports.map(reportLines)).toEqual(expected);
  }, 600_000);

  test('opens an object in another process, also if it was started by a relative path', async () => {
    const hns = await startHns();
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    const folder = 'C:\\opt\\cni\\bin';
    const words = ['probe', '--row', 'callerIds', '-o', 'json'];
    const { stdout } = await suitePrefix().run('.\\win-hcn.exe', words, {
      env: { WIN_HCN_SIMULATED_HNS },
      folder,
    });
    await hns.stop();
    expect(JSON.parse(stdout).rows).toMatchObject([{ id: 'callerIds', observed: 'honored' }]);
  });

  test.each(['HcnCreateNetwork', 'HcnCreateLoadBalancer'])(
    'is killed after %s, and the next probe deletes what it left',
    async (name) => {
      const hns = await startHns({ adapters });
      const before = hns.dump().namespaces;
      hns.inject({ function: name, ordinal: 3, effect: { hold: 'after' } });
      const controller = new AbortController();
      const killed = run(hns, [], controller.signal).catch(() => undefined);
      await hns.nextStanding();
      controller.abort();
      await killed;
      hns.release();
      expect(hns.dump().networks).not.toEqual([]);
      const { exitCode } = await run(hns, ['--row', 'attachTwice']);
      const { networks, endpoints, namespaces, loadBalancers } = hns.dump();
      await hns.stop();
      expect({ exitCode, networks, endpoints, namespaces, loadBalancers }).toEqual({
        exitCode: 0,
        networks: [],
        endpoints: [],
        namespaces: before,
        loadBalancers: [],
      });
    },
  );
});
