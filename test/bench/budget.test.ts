import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noLatency } from '../simulator/latency.ts';
import { excesses, type Limit, limits, sizeLimits, waitingMemory } from './budget.ts';
import { addRequests, startTogether } from './burst.ts';
import { linuxForm } from './linux.ts';
import { startNodes } from './nodes.ts';
import { addRow, rows } from './rows.ts';
import { runLane } from './run-lane.ts';

/** Each attempt measures the requests that exceeded a limit in the attempts before it: a busy machine rarely raises them in all. */
const attempts = 5;

test('requests stay within the budget of CPU time, memory and bytes read', async () => {
  const rowsOf = (some: readonly Limit[]) =>
    rows.filter(({ name }) => some.some(({ request }) => request === name));
  const form = linuxForm();
  const nodes = await startNodes(rowsOf(limits));
  let exceeded = limits;
  let found: readonly string[] = [];
  try {
    for (let attempt = 0; attempt < attempts && exceeded.length > 0; attempt += 1) {
      const lane = await runLane(form, rowsOf(exceeded), nodes, { runs: 15, latency: noLatency });
      exceeded = exceeded.filter((limit) => excesses(lane, [limit]).length > 0);
      found = excesses(lane, exceeded);
    }
    expect(found).toEqual([]);
  } finally {
    await nodes.stop();
  }
}, 600_000);

test('an ADD that waits for HNS has little more private memory than a bare start that waits', async () => {
  const form = linuxForm();
  const nodes = await startNodes(addRow);
  for (const { scene, prepare } of addRow) {
    const node = nodes.use(scene);
    const { config } = await prepare(node);
    node.hns.delay({ createMs: 6000, queryMs: 0 });
    const adds = await startTogether(form, form.plugin, addRequests(form, node, config, 12));
    const request = { environment: { BENCH_WAIT_MS: '6000' }, stdin: '' };
    const bare = await startTogether(form, form.bare, Array(12).fill(request));
    expect([adds, bare]).toMatchObject(Array(2).fill({ failed: 0, sampled: 12 }));
    expect(adds.privateKib / bare.privateKib).toBeLessThanOrEqual(waitingMemory);
  }
  await nodes.stop();
}, 300_000);

test.each(Object.entries(sizeLimits))('%s has at most %i kB', (file, kilobytes) => {
  expect(statSync(file).size / 1000).toBeLessThanOrEqual(kilobytes);
});
