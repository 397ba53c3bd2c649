import { expect, test } from 'vitest';
import type { Lane } from '../../bench/run-lane.ts';
import { head, laneTitle, rowsOf, textTable } from '../../bench/table.ts';
import { summary } from './summary.ts';

const lane: Lane = {
  platform: 'Linux',
  form: 'executable',
  latency: { createMs: 0, queryMs: 0 },
  bare: summary('bare start', 20, { hcnCalls: 0 }),
  oneCall: summary('bare start with one HCN call', 22),
  requests: [summary('ADD', 50, { memoryKib: 60_000, hcnCalls: 7, ipHelperCalls: 1, bytesRead: 1_174_564 })],
  comparisons: [],
};

test('a lane has a row for each request, compared to the bare start', () => {
  expect(textTable(head, rowsOf(lane))).toBe(
    [
      'request                       CPU ratio  wall ratio  memory ratio       CPU ms        wall ms  memory MB  HCN calls  IP Helper calls  kB read',
      'bare start                         1.00        1.00          1.00  20.0 / 21.0    40.0 / 42.0       41.0          0                0       30',
      'bare start with one HCN call       1.10        1.10          1.00  22.0 / 23.1    44.0 / 46.2       41.0          1                0       30',
      'ADD                                2.50        2.50          1.50  50.0 / 52.5  100.0 / 105.0       61.4          7                1     1175',
    ].join('\n'),
  );
});

test('the title of a lane states platform, form and latency', () => {
  expect(laneTitle(lane)).toBe('Linux, executable, with a service that responds immediately');
  expect(laneTitle({ ...lane, platform: 'Wine', latency: { createMs: 100, queryMs: 5 } })).toBe(
    'Wine, executable, with a service that takes 5 ms for a call and 100 ms to create an object',
  );
});
