// Measures what a request costs, compared to a bare start of the same runtime: npm run bench -- --help
//
// Terms of this folder:
// - bare start: the same Node with an empty program, and as in stock Node, V8 computes the hashes in its snapshots (form.ts).
// - form: the executable on a platform, and how it is started (form.ts).
// - row: a request that is measured, with its preparation and cleanup (rows.ts).
// - scene: the state of a simulated node that a row requires (rows.ts, nodes.ts).
// - sample, summary: the figures of one run of a row, and the statistics of all its runs (statistics.ts).
// - lane: the summaries of all rows with one form and one latency of the service (run-lane.ts).

import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type Latency, noLatency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import { linuxForm } from './linux.ts';
import { startNodes } from './nodes.ts';
import { rows } from './rows.ts';
import { runLane } from './run-lane.ts';
import { laneTable, laneTitle } from './table.ts';
import { startWine } from './wine.ts';

const usage = `Usage: npm run bench -- [options]

Measures each kind of request on the simulated service, interleaved with a bare start: the same
Node, packaged and started the same way, with an empty program. Times are minimum / median of all runs.
Ratios compare minimum times, and memory, to those of the bare start. Prints tables of Markdown.

  --linux      measure on Linux only. Default: on Linux, and under Wine if it is installed
  --runs N     runs of each request. Default: 25
  --only TEXT  measure only requests whose name contains TEXT. Default: all
  --help       print this help
`;

const slowService: Latency = { createMs: 100, queryMs: 5 };

const { values } = parseArgs({
  options: {
    linux: { type: 'boolean', default: false },
    runs: { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a positive integer.');
  await measureLanes(linuxForm());
  if (!values.linux) await measureUnderWine();
}

async function measureUnderWine(): Promise<void> {
  execFileSync(process.execPath, ['build.mjs', 'package'], { stdio: 'inherit' });
  const wine = await startWine();
  if ('missing' in wine) return console.log(`Nothing was measured under Wine: ${wine.missing}`);
  try {
    await measureLanes(wine.form);
  } finally {
    await wine.stop();
  }
}

async function measureLanes(form: Form): Promise<void> {
  const own = rows.filter(({ name }) => name.includes(values.only));
  const nodes = await startNodes(own);
  try {
    for (const latency of [noLatency, slowService]) {
      const lane = await runLane(form, own, nodes, { runs, latency });
      console.log(`${laneTitle(form, latency)}:\n\n${laneTable(lane)}\n`);
    }
  } finally {
    await nodes.stop();
  }
}
