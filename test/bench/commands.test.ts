import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from './page.ts';
import { readReport } from './report.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-bench-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' });

test('npm run bench prints a table for each form and latency, and writes figures for the page', () => {
  const json = join(folder, 'figures.json');
  const printed = run('test/bench/main.ts', '--linux', '--runs', '1', '--only', 'VERSION', '--json', json);
  expect(printed.match(/^Linux, .*(?=:$)/gm)).toEqual([
    'Linux, executable, with a service that responds immediately',
    'Linux, bundle, with a service that responds immediately',
    'Linux, executable, with a service that takes 5 ms for a call and 100 ms to create an object',
  ]);
  expect(printed.match(/^VERSION .* 0 +0 +\d+$/gm)).toHaveLength(3);
  expect(page(readReport(json))).toContain('\n| VERSION | 0 | 0 | ');
}, 600_000);

test('npm run cpuprofile writes a profile and prints ten functions', () => {
  const file = join(folder, 'add.cpuprofile');
  const printed = run('test/bench/cpuprofile.ts', 'ADD', '--out', file).trimEnd().split('\n');
  expect(printed).toHaveLength(13);
  expect(printed.at(-1)).toContain('ms in total, in ');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ nodes: expect.any(Array) });
}, 600_000);
