import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/cli/probe/report.ts';
import { observedNodes } from '../../simulator/observed-nodes.ts';
import { profileFromReport } from '../../simulator/observed-profile.ts';
import { profileNames, type Switches } from '../../simulator/profiles.ts';
import { variantNames, variants } from '../../simulator/variants/variants.ts';
import { probeReport, reportLines } from './run-probe.ts';

describe.each(profileNames)('on %s', (profile) => {
  let report: Report;
  beforeAll(async () => {
    report = await probeReport({ profile });
  });

  test('a report, turned into a profile, gives the same report again', async () => {
    const again = await probeReport({ profile: profileFromReport(report) });
    expect(reportLines(usable(again))).toBe(reportLines(usable(report)));
  });
});

/** The rows that a profile has. */
const usable = ({ rows, ...report }: Report): Report => ({
  ...report,
  rows: rows.filter(({ on }) => on !== 'Private'),
});

/**
 * Every variant in its last position: a node that behaves as unexpectedly as it can. Endpoints do not linger, because no network of which
 * HNS keeps an endpoint could then be deleted. A report does not show types of members and V1 queries.
 */
const contrary = {
  ...Object.fromEntries(variantNames.map((name) => [name, variants[name].positions.at(-1)])),
  deletedEndpoint: 'gone',
  memberTypes: 'as documented',
  managementAddressQuery: 'answered',
} as unknown as Switches;

describe('npm run profile', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the script on a report. */
  function addProfile(report: Report, ...words: readonly string[]) {
    const file = join(folder, 'report.txt');
    writeFileSync(file, `\ufeff${JSON.stringify(report)}`);
    const observed = join(folder, 'observed');
    const script = ['test/e2e/probe/add-profile.ts', file, '--folder', observed, ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
    return { status, stdout, stderr, profiles: observedNodes(observed) };
  }

  test('turns the report of an observed node into a profile that gives the same report', async () => {
    const report = {
      ...(await probeReport({ profile: 'ws2022', switches: contrary })),
      windows: 'Windows 20348.2402',
    };
    const { profiles, ...printed } = addProfile(report);
    expect(printed).toEqual({
      status: 0,
      stdout: `${join(folder, 'observed', '20348.2402.json')}\n`,
      stderr: '',
    });
    const { '20348.2402': profile } = profiles;
    const again = await probeReport({ ...(profile && { profile }) });
    expect(reportLines(usable(again))).toBe(reportLines(usable(report)));
  });
});

test('the simulated service reproduces what was observed on each real node', async () => {
  for (const [name, profile] of Object.entries(observedNodes())) {
    const { rows } = await probeReport({ profile });
    const simulated = Object.fromEntries(rows.map(({ id, observed }) => [id, observed]));
    expect(simulated, name).toMatchObject(profile.rows);
  }
});
