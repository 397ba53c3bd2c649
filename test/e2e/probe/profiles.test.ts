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

test('a profile has nothing of what was observed on a Private network', () => {
  const onPrivate = { id: 'attachTwice', observed: 'accepted', on: 'Private' };
  const { rows, switches } = profileFromReport({ hns: { Major: 13, Minor: 3 }, rows: [onPrivate] });
  expect({ rows, attachTwice: switches.attachTwice }).toEqual({ rows: {}, attachTwice: 'refused' });
  const { rows: used } = profileFromReport({
    hns: { Major: 13, Minor: 3 },
    rows: [{ ...onPrivate, on: 'L2Bridge' }],
  });
  expect(used).toEqual({ attachTwice: 'accepted' });
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

  test('names what the simulated service cannot do', async () => {
    const report = await probeReport({});
    const rows = report.rows.map((row) => (row.id === 'attachTwice' ? { ...row, observed: 'E_FAIL' } : row));
    expect(addProfile({ ...report, rows }, '--name', 'odd')).toMatchObject({
      status: 1,
      stderr:
        'attachTwice: the node has "E_FAIL", the simulated service "refused". Add a position to its variant.\n',
      profiles: { odd: { version: { Major: 15, Minor: 5 } } },
    });
  });

  test('refuses a report without a Windows build if no name is given', async () => {
    expect(addProfile(await probeReport({}))).toMatchObject({
      status: 1,
      stderr: 'The report lacks the Windows build: name the profile with --name.\n',
      profiles: {},
    });
  });
});

test('the simulated service reproduces what was observed on each real node', async () => {
  for (const [name, profile] of Object.entries(observedNodes())) {
    const { rows } = await probeReport({ profile });
    const simulated = Object.fromEntries(rows.map(({ id, observed }) => [id, observed]));
    expect(simulated, name).toMatchObject(profile.rows);
  }
});
