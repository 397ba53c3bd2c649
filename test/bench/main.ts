// Measures what a request costs, compared to a bare start of the same runtime: npm run bench -- --help
//
// Terms of this folder:
// - bare start: the same Node with an empty program, and as in stock Node, V8 computes the hashes in its snapshots (form.ts).
// - form: how the plugin is packaged and started: an executable, or a bundle that Node runs (form.ts).
// - row: a request that is measured, with its preparation and cleanup (rows.ts).
// - scene: the state of a simulated node that a row requires (rows.ts, nodes.ts).
// - sample, summary: the figures of one run of a row, and the statistics of all its runs (statistics.ts).
// - lane: the summaries of all rows with one form and one latency of the service (run-lane.ts).
// - peer: another plugin; a comparison sends win-hcn and a peer the same request (peers.ts).
// - report: the lanes, with machine, versions and sizes; the page prints it (report.ts, page.ts).

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

Measures each kind of request on the simulated service, interleaved with a bare start: the same
Node, packaged and started the same way, with an empty program. Times are minimum / median of all runs.
Ratios compare minimum times, and memory, to those of the bare start.

  --linux           measure on Linux only. Default: on Linux, and under Wine if it is installed
  --wine            measure under Wine only
  --runs N          runs of each request. Default: 25
  --only TEXT       measure only requests whose name contains TEXT. Default: all
  --peer FILE=TYPE  compare another plugin, interleaved with win-hcn, in a configuration of TYPE,
                    such as win-bridge. FILE is a program for Windows if it ends with .exe,
                    otherwise for Linux. Can be repeated. Default: none
  --json FILE       write all figures to FILE
  --from FILE       read figures that --json wrote from FILE instead of measuring. Can be repeated
  --page            write docs/performance.md
  --help            print this help
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
const peers = values.help ? [] : values.peer.map(readPeer);
const own = rows.filter(({ name }) => name.includes(values.only));

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  if (values.linux && values.wine)
    throw new Error('--linux and --wine exclude each other. Omit both to measure both.');
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a positive integer.');
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
