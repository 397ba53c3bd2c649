import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page } from '../../bench/page.ts';
import type { Report } from '../../bench/report.ts';
import type { Lane } from '../../bench/run-lane.ts';
import { summary } from './summary.ts';

const bare = summary('bare start', 20, { hcnCalls: 0 });
const oneCall = summary('bare start with one HCN call', 22);
const add = summary('ADD', 30, { memoryKib: 60_000, hcnCalls: 7, ipHelperCalls: 1, bytesRead: 1_174_564 });
const lane = (more: Partial<Lane>): Lane => ({
  platform: 'Linux',
  form: 'executable',
  latency: { createMs: 0, queryMs: 0 },
  bare,
  oneCall,
  requests: [add],
  comparisons: [],
  ...more,
});

const report: Report = {
  machine: { cpu: 'Some CPU', cores: 2 },
  versions: { Node: '24.21.0', koffi: '3.3.4' },
  sizes: { 'build/win-hcn.cjs': 5769, 'dist/win-hcn.exe': 96_758_784 },
  lanes: [
    lane({}),
    lane({ form: 'bundle', requests: [] }),
    lane({ latency: { createMs: 100, queryMs: 5 }, requests: [summary('ADD', 90)] }),
    lane({
      platform: 'Wine',
      comparisons: [
        {
          request: 'VERSION',
          type: 'nat',
          file: 'nat.exe',
          own: summary('VERSION of win-hcn, type nat', 60, { hcnCalls: 0 }),
          peer: summary('VERSION of nat.exe, type nat', 20, { hcnCalls: 0 }),
        },
        {
          request: 'ADD',
          type: 'nat',
          file: 'nat.exe',
          own: summary('ADD of win-hcn, type nat', 60, { hcnCalls: 7 }),
          peer: summary('ADD of nat.exe, type nat', 20, { hcnCalls: 14 }),
        },
        {
          request: 'DEL',
          type: 'nat',
          file: 'nat.exe',
          own: summary('DEL of win-hcn, type nat', 60, { hcnCalls: 3 }),
          peer: summary('DEL of nat.exe, type nat', 61, { hcnCalls: 17 }),
        },
      ],
    }),
  ],
};

const limit = { request: 'ADD', cpu: 1.5, memory: 1.25, kilobytesRead: 1160 };

test('the page has ratios, calls with latency, other plugins, figures, sizes and limits', () => {
  const [intro = '', ...sections] = page(report, [limit], { 'build/win-hcn.cjs': 6 }).split('\n## ');
  expect(intro).toContain(
    'The programs ran interleaved, 25 times each, on a machine with 2 cores (Some CPU)',
  );
  expect(intro).toContain('Node 24.21.0, koffi 3.3.4');
  expect(intro.match(/^- .*: /gm)).toEqual(['- Linux: ', '- Linux, bundle: ', '- Wine: ']);
  expect(sections.map((section) => section.replace(/\n+$/, ''))).toEqual([
    `Ratios to a bare start

CPU time, the minimum of all runs:

| request | Linux | Linux, bundle | Wine |
| --- | --- | --- | --- |
| bare start | 1.00 | 1.00 | 1.00 |
| bare start with one HCN call | 1.10 | 1.10 | 1.10 |
| ADD | 1.50 |  | 1.50 |

Memory, the median of all runs:

| request | Linux | Linux, bundle | Wine |
| --- | --- | --- | --- |
| bare start | 1.00 | 1.00 | 1.00 |
| bare start with one HCN call | 1.00 | 1.00 | 1.00 |
| ADD | 1.50 |  | 1.50 |`,
    `Calls and latency

Wall times in milliseconds, minimum / median, with a service that takes 5 ms for a call and 100 ms
to create an object:

| request | HCN calls | IP Helper calls | Linux |
| --- | --- | --- | --- |
| bare start | 0 | 0 | 40.0 / 42.0 |
| bare start with one HCN call | 1 | 0 | 44.0 / 46.2 |
| ADD | 7 | 1 | 180.0 / 189.0 |`,
    expect.stringContaining(`
Wine, with a service that responds immediately. A bare start takes 42 ms.
\`nat.exe\` (nat) starts faster than win-hcn: it answers VERSION in 42 ms, win-hcn in 126 ms.

| configuration | request | HCN calls | HCN calls of win-hcn | ms | ms of win-hcn | MB | MB of win-hcn | equal at |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| nat | VERSION | 0 | 0 | 42 | 126 | 41.0 | 41.0 | never |
| nat | ADD | 14 | 7 | 42 | 126 | 41.0 | 41.0 | +12 ms |
| nat | DEL | 17 | 3 | 128 | 126 | 41.0 | 41.0 | faster |`),
    expect.stringContaining(`
### Linux

An executable with the same program as \`win-hcn.exe\`, injected by postject:

| request | CPU ms | wall ms | memory MB | kB read |
| --- | --- | --- | --- | --- |
| bare start | 20.0 / 21.0 | 40.0 / 42.0 | 41.0 | 30 |
| bare start with one HCN call | 22.0 / 23.1 | 44.0 / 46.2 | 41.0 | 30 |
| ADD | 30.0 / 31.5 | 60.0 / 63.0 | 61.4 | 1175 |

### Linux, bundle
`),
    expect.stringContaining(`
| file | kB | limit |
| --- | --- | --- |
| \`build/win-hcn.cjs\` | 5.8 | 6 |
| \`dist/win-hcn.exe\` | 96758.8 |  |`),
    expect.stringContaining(`
| request | CPU ratio | memory ratio | kB read |
| --- | --- | --- | --- |
| ADD | 1.50 | 1.25 | 1160 |`),
  ]);
});

test('the page states that no other plugin was measured', () => {
  expect(page({ ...report, lanes: [lane({})] })).toContain('\nNo other plugin was measured.\n');
});

test('docs/performance.md has the limits that CI enforces', () => {
  const limitsOf = (text: string) => text.split('\n## Limits')[1];
  expect(limitsOf(readFileSync('docs/performance.md', 'utf8'))).toBe(limitsOf(page(report)));
});
