import { expect, test } from 'vitest';
import { median, ratios, type Sample, summarize } from '../../bench/statistics.ts';

const sample = (cpuUs: number, more: Partial<Sample> = {}): Sample => ({
  cpuUs,
  wallUs: 2 * cpuUs,
  memoryKib: 1000,
  bytesRead: 5,
  hcnCalls: 3,
  ipHelperCalls: 0,
  ...more,
});

test('a summary has minimum and median times in milliseconds, and medians of the rest', () => {
  const samples = [
    sample(9000),
    sample(4000, { memoryKib: 3000 }),
    sample(5000, { memoryKib: 2000, hcnCalls: 4, bytesRead: 7 }),
  ];
  expect(summarize('ADD', samples)).toEqual({
    name: 'ADD',
    runs: 3,
    cpu: { min: 4, median: 5 },
    wall: { min: 8, median: 10 },
    memoryKib: 2000,
    bytesRead: 5,
    hcnCalls: 3,
    ipHelperCalls: 0,
  });
});

test.each([
  [[7], 7],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 3],
])('the median of %j is %i', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('no values have no median', () => {
  expect(() => median([])).toThrow('no values');
});

test('ratios compare minimum times, and memory', () => {
  const bare = summarize('bare start', [sample(2000), sample(9000)]);
  const add = summarize('ADD', [sample(5000, { memoryKib: 1200 }), sample(99_000, { memoryKib: 1200 })]);
  expect(ratios(add, bare)).toEqual({ cpu: 2.5, wall: 2.5, memory: 1.2 });
});
