import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runPowerShell } from '../../../src/cli/terminal/run-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-powershell-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program that runs instead of powershell.exe, with the same arguments. */
function program(...lines: readonly string[]): string {
  const path = join(folder, 'powershell.exe');
  writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

test('passes the whole script and returns its output', async () => {
  const path = program('echo "$1 $2 $3 $4"', 'echo "$5" | base64 -d | iconv -f UTF-16LE -t UTF-8');
  expect(await runPowerShell('Get-Service "hns" # \u00fc', 30, path)).toEqual({
    stdout: [
      '-NoLogo -NoProfile -NonInteractive -EncodedCommand',
      "[Console]::OutputEncoding = [Text.Encoding]::UTF8; $ProgressPreference = 'SilentlyContinue'",
      'try {',
      'Get-Service "hns" # \u00fc',
      '} catch {',
      '  [Console]::Error.WriteLine($_.Exception.Message)',
      '  exit 1',
      '}',
    ].join('\n'),
  });
});

test('kills a script that does not finish', async () => {
  expect(await runPowerShell('', 0.1, program('exec sleep 600'))).toEqual({
    problem: 'PowerShell did not finish within 0.1 s',
  });
});

test("passes the environment without PowerShell 7's module path", async () => {
  vi.stubEnv('PSModulePath', 'C:\\Program Files\\PowerShell\\7\\Modules');
  vi.stubEnv('SOMETHING_ELSE', 'is here');
  expect(await runPowerShell('', 30, program('echo "$PSModulePath$SOMETHING_ELSE"'))).toEqual({
    stdout: 'is here\n',
  });
});

const clixml =
  '<Objs Version="1.1.0.1"><S S="Error">Cannot invoke method._x000D__x000A_</S><S S="Error">At line:1</S></Objs>';

test.each<[string, readonly string[], string, string?]>([
  ['a script that cannot start', [''], 'cannot run PowerShell: spawn E2BIG', '#'.repeat(1_000_000)],
  [
    'the first line of an error',
    ['echo "Access is denied." >&2', 'echo "At line:1" >&2', 'exit 1'],
    'PowerShell failed with exit code 1: Access is denied.',
  ],
  [
    'an error in the XML of PowerShell',
    ["cat >&2 <<'END'", '#< CLIXML', clixml, 'END', 'exit 1'],
    'PowerShell failed with exit code 1: Cannot invoke method.',
  ],
])('reports %s', async (_, lines, problem, script = '') => {
  expect(await runPowerShell(script, 30, program(...lines))).toEqual({ problem });
});

test('reports a machine without PowerShell', async () => {
  const { problem } = { problem: '', ...(await runPowerShell('', 30, join(folder, 'nothing'))) };
  expect(problem).toBe(`cannot run PowerShell: ${join(folder, 'nothing')} does not exist`);
});
