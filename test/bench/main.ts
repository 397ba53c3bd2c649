// Measures what a request costs, compared to a bare start of the same runtime: npm run bench -- --help

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Latency, noLatency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import { linuxForms } from './linux.ts';
import { startNodes } from './nodes.ts';
import { page } from './page.ts';
import { type Comparison, comparisonsWith, readPeer, rowsCompared } from './peers.ts';
import { merge, newReport, type Report, readReport } from './report.ts';
import { type Row, rows } from './rows.ts';
import { type Lane, runLane } from './run-lane.ts';
import { head, laneTitle, rowsOf, textTable } from './table.ts';
import { startWine } from './wine.ts';

const usage = `Usage: npm run bench -- [options]

Measures each kind of request on the simulated service, in turn with a bare start: the same runtime, started the same way, without
a program. Times are minimum / median of all runs. Ratios compare minimum times, and memory, to those of the bare start.

  --linux           measures on Linux only. Default: on Linux, and under Wine if it is installed
  --wine            measures under Wine only
  --runs N          how often each request runs. Default: 25
  --only TEXT       only requests whose name contains TEXT. Default: all
  --peer FILE=TYPE  measures another plugin in turn with win-hcn, in a configuration of TYPE, such as win-bridge.
                    FILE is a program for Linux, or for Windows with the extension .exe. Can be repeated
  --json FILE       writes all figures to a file
  --from FILE       reads such a file instead of measuring. Can be repeated
  --page            writes docs/performance.md
`;

const slowService: Latency = { createMs: 100, queryMs: 5 };

const { values } = parseArgs({
  options: {
    linux: { type: 'boolean', default: false },
    wine: { type: 'boolean', default: false },
    runs: { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    peer: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    from: { type: 'string', multiple: true, default: [] },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const peers = values.peer.map(readPeer);
const own = rows.filter(({ name }) => name.includes(values.only));

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs is a number from 1.');
  const report = values.from.length > 0 ? merge(values.from.map(readReport)) : await measureAll();
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (values.page) writeFileSync('docs/performance.md', page(report));
}

async function measureAll(): Promise<Report> {
  const onLinux = values.wine ? [] : await measureOnLinux();
  const wine = values.linux ? undefined : await measureUnderWine();
  return newReport([...onLinux, ...(wine?.lanes ?? [])], wine?.version);
}

function measureOnLinux(): Promise<readonly Lane[]> {
  const { executable, bundle } = linuxForms();
  const install = (file: string) => [resolve(file)];
  const comparisons = compareHere((file) => !file.endsWith('.exe'), install);
  return measureLanes(comparisons, [
    [executable, noLatency],
    [bundle, noLatency],
    [executable, slowService],
  ]);
}

async function measureUnderWine(): Promise<
  { readonly version: string; readonly lanes: readonly Lane[] } | undefined
> {
  execFileSync(process.execPath, ['build.mjs', 'package'], { stdio: 'inherit' });
  const wine = await startWine();
  if ('missing' in wine) {
    if (values.wine) throw new Error(wine.missing);
    console.log(`Nothing was measured under Wine: ${wine.missing}`);
    return undefined;
  }
  try {
    const comparisons = compareHere((file) => file.endsWith('.exe'), wine.install);
    const lanes = await measureLanes(comparisons, [
      [wine.form, noLatency],
      [wine.form, slowService],
    ]);
    return { version: wine.version, lanes };
  } finally {
    await wine.stop();
  }
}

function compareHere(
  runsHere: (file: string) => boolean,
  install: (file: string) => readonly string[],
): readonly Comparison<Row>[] {
  return peers
    .filter(({ file }) => runsHere(file))
    .flatMap((peer) => comparisonsWith(peer, install(peer.file)));
}

async function measureLanes(
  comparisons: readonly Comparison<Row>[],
  lanes: readonly (readonly [Form, Latency])[],
): Promise<readonly Lane[]> {
  const nodes = await startNodes([...own, ...rowsCompared(comparisons)]);
  try {
    const measured: Lane[] = [];
    for (const [form, latency] of lanes) {
      const lane = await runLane(form, { own, comparisons }, nodes, { runs, latency });
      console.log(`${laneTitle(lane)}:\n\n${textTable(head, rowsOf(lane))}\n`);
      measured.push(lane);
    }
    return measured;
  } finally {
    await nodes.stop();
  }
}
