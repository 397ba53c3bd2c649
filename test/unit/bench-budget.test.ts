import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { excesses } from '../bench/budget.ts';
import { page } from '../bench/page.ts';
import type { Lane } from '../bench/run-lane.ts';
import type { Summary } from '../bench/statistics.ts';

/** A summary whose median times are 5 percent above the minimum. */
function summary(name: string, cpuMs: number, more: Partial<Summary> = {}): Summary {
  return {
    name,
    runs: 25,
    cpu: { min: cpuMs, median: cpuMs * 1.05 },
    wall: { min: cpuMs * 2, median: cpuMs * 2.1 },
    memoryKib: 40_000,
    bytesRead: 30_000,
    hcnCalls: 1,
    ipHelperCalls: 0,
    ...more,
  };
}

const lane: Lane = {
  platform: 'Linux',
  form: 'executable',
  latency: { createMs: 0, queryMs: 0 },
  bare: summary('bare start', 20),
  oneCall: summary('bare start with one HCN call', 22),
  requests: [summary('ADD', 50, { memoryKib: 60_000, bytesRead: 1_030_000 })],
  comparisons: [],
};
const limit = { request: 'ADD', cpu: 2.5, memory: 1.5, kilobytesRead: 1000 };

test('a request at its limits is within the budget', () => {
  expect(excesses(lane, [limit])).toEqual([]);
});

test.each([
  ['minimum', { min: 50, median: 90 }],
  ['median', { min: 90, median: 52.5 }],
])('CPU time is within the budget if its %s is', (_, cpu) => {
  expect(excesses({ ...lane, requests: [summary('ADD', 50, { cpu })] }, [limit])).toEqual([]);
});

test('each limit that a request exceeds is reported', () => {
  expect(excesses(lane, [{ ...limit, cpu: 2.4, memory: 1.4, kilobytesRead: 999 }])).toEqual([
    'ADD: 2.50 times the CPU time of a bare start, limit 2.4',
    'ADD: 1.50 times the memory of a bare start, limit 1.4',
    'ADD: 1000.00 kB read in addition to a bare start, limit 999',
  ]);
});

test('a request that was not measured is reported', () => {
  expect(excesses(lane, [{ ...limit, request: 'DEL' }])).toEqual(['DEL was not measured']);
});

test('docs/performance.md has the limits that CI enforces', () => {
  const report = { machine: { cpu: '', cores: 2 }, versions: {}, sizes: {}, lanes: [lane] };
  const limitsOf = (text: string) => text.split('\n## Limits')[1];
  expect(limitsOf(readFileSync('docs/performance.md', 'utf8'))).toBe(limitsOf(page(report)));
});
