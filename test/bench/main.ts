// Measures what a request costs, compared to a bare start of the same runtime: npm run bench -- --help

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Latency, noLatency } from '../simulator/latency.ts';
import type { Form } from './form.ts';
import { linuxForms } from './linux.ts';
import { startNodes } from './nodes.ts';
import { newReport } from './report.ts';
import { rows } from './rows.ts';
import { type Lane, runLane } from './run-lane.ts';
import { head, laneTitle, rowsOf, textTable } from './table.ts';

const usage = `Usage: npm run bench -- [options]

Measures each kind of request on the simulated service, in turn with a bare start: the same runtime, started the same way, without
a program. Times are minimum / median of all runs. Ratios compare minimum times, and memory, to those of the bare start.

  --runs N     how often each request runs. Default: 25
  --only TEXT  only requests whose name contains TEXT. Default: all
  --json FILE  writes all figures to a file
`;

const slowService: Latency = { createMs: 100, queryMs: 5 };

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs is a number from 1.');
  const { executable, bundle } = linuxForms();
  const plan: readonly (readonly [Form, Latency])[] = [
    [executable, noLatency],
    [bundle, noLatency],
    [executable, slowService],
  ];
  const nodes = await startNodes();
  const lanes: Lane[] = [];
  for (const [form, latency] of plan) {
    const lane = await runLane(
      form,
      rows.filter(({ name }) => name.includes(values.only)),
      nodes,
      { runs, latency },
    );
    console.log(`${laneTitle(lane)}:\n\n${textTable(head, rowsOf(lane))}\n`);
    lanes.push(lane);
  }
  await nodes.stop();
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(newReport(lanes, undefined), undefined, 2)}\n`);
}
