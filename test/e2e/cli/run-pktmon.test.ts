import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runPktmon } from '../../../src/cli/terminal/run-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-pktmon-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that runs instead of pktmon.exe. */
function program(...lines: readonly string[]): string {
  const path = join(folder, 'pktmon.exe');
  writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

test('passes each argument as it is, without a shell, and returns all output', async () => {
  const path = program('printf "[%s]" "$@"', 'echo warning >&2');
  expect(await runPktmon(['start', '--file-name', 'C:\\a b\\$(exit);*.etl'], 30, path)).toEqual({
    exitCode: 0,
    output: '[start][--file-name][C:\\a b\\$(exit);*.etl]warning\n',
  });
});

test('runs the program of System32 unless a path is given', async () => {
  expect(await runPktmon(['status'], 30)).toEqual({
    problem: 'C:\\Windows\\System32\\pktmon.exe does not exist',
  });
});

test('returns the exit code and the output of a failure', async () => {
  expect(await runPktmon(['status'], 30, program('echo "Access is denied."', 'exit 5'))).toEqual({
    exitCode: 5,
    output: 'Access is denied.\n',
  });
});

test('kills a run that does not finish', async () => {
  expect(await runPktmon(['stop'], 0.1, program('exec sleep 600'))).toEqual({
    problem: 'it did not finish within 0.1 s',
    timedOut: true,
  });
});

test('reports a machine without pktmon', async () => {
  const path = join(folder, 'nothing.exe');
  expect(await runPktmon(['status'], 30, path)).toEqual({
    problem: `${path} does not exist`,
  });
});
