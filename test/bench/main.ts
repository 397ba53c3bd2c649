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
import { newRandom } from '../storm/random.ts';
import { addRequests, burstTable, startTogether } from './burst.ts';
import type { Form } from './form.ts';
import { linuxForm } from './linux.ts';
import { startNodes } from './nodes.ts';
import { addRow, rows } from './rows.ts';
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
  --pods N     measure instead N ADDs at once, while the service takes one call after another and 50 to
               800 ms for a creation, and N bare starts, which wait as long or end at once
  --help       print this help
`;

const slowService: Latency = { createMs: 100, queryMs: 5 };

const { values } = parseArgs({
  options: {
    linux: { type: 'boolean', default: false },
    runs: { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    pods: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a positive integer.');
  await measureForm(linuxForm());
  if (!values.linux) await measureUnderWine();
}

async function measureUnderWine(): Promise<void> {
  execFileSync(process.execPath, ['build.mjs', 'package'], { stdio: 'inherit' });
  const wine = await startWine();
  if ('missing' in wine) return console.log(`Nothing was measured under Wine: ${wine.missing}`);
  try {
    await measureForm(wine.form);
  } finally {
    await wine.stop();
  }
}

function measureForm(form: Form): Promise<void> {
  return values.pods === undefined ? measureLanes(form) : measureBurst(form, Number(values.pods));
}

async function measureBurst(form: Form, length: number): Promise<void> {
  const nodes = await startNodes(addRow);
  for (const { scene, prepare } of addRow) {
    const node = nodes.use(scene);
    const { config } = await prepare(node);
    const random = newRandom('burst');
    node.hns.delay({ createMs: 50, more: () => random.below(751), queryMs: 5, oneAtATime: true });
    const adds = await startTogether(form, form.plugin, addRequests(form, node, config, length));
    const bare = (environment: Readonly<Record<string, string>>) =>
      startTogether(form, form.bare, Array(length).fill({ environment, stdin: '' }));
    const waiting = await bare({ BENCH_WAIT_MS: adds.wallMs.toFixed(0) });
    const bursts = { 'bare starts': await bare({}), 'bare starts that wait': waiting, ADDs: adds };
    console.log(`${length} on ${form.platform}:\n\n${burstTable(bursts)}\n`);
  }
  await nodes.stop();
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
