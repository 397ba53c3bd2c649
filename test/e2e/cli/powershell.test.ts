import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runPowerShell } from '../../../src/cli/powershell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-powershell-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A program in the place of powershell.exe; it gets the same arguments. */
function program(...lines: readonly string[]): string {
  const path = join(folder, 'powershell.exe');
  writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

test('a script is passed whole, and its output comes back', async () => {
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

test('a script that does not end is killed', async () => {
  expect(await runPowerShell('', 0.1, program('exec sleep 600'))).toEqual({
    problem: 'PowerShell did not finish within 0.1 s',
  });
});

test("a script does not get PowerShell 7's modules, and all else of the environment", async () => {
  vi.stubEnv('PSModulePath', 'C:\\Program Files\\PowerShell\\7\\Modules');
  vi.stubEnv('SOMETHING_ELSE', 'is here');
  expect(await runPowerShell('', 30, program('echo "$PSModulePath$SOMETHING_ELSE"'))).toEqual({
    stdout: 'is here\n',
  });
});

test('a script that cannot even be started is no failure', async () => {
  expect(await runPowerShell('#'.repeat(1_000_000), 30, program(''))).toEqual({
    problem: 'cannot run PowerShell: spawn E2BIG',
  });
});

test('a script that fails says so with its first line', async () => {
  const path = program('echo "Access is denied." >&2', 'echo "At line:1" >&2', 'exit 1');
  expect(await runPowerShell('', 30, path)).toEqual({
    problem: 'PowerShell failed with exit code 1: Access is denied.',
  });
});

test('what PowerShell itself complains of is taken out of its XML', async () => {
  const xml =
    '<Objs Version="1.1.0.1"><S S="Error">Cannot invoke method._x000D__x000A_</S><S S="Error">At line:1</S></Objs>';
  const path = program("cat >&2 <<'END'", '#< CLIXML', xml, 'END', 'exit 1');
  expect(await runPowerShell('', 30, path)).toEqual({
    problem: 'PowerShell failed with exit code 1: Cannot invoke method.',
  });
});

test('a machine without PowerShell is no failure', async () => {
  const { problem } = { problem: '', ...(await runPowerShell('', 30, join(folder, 'nothing'))) };
  expect(problem).toMatch(/^cannot run PowerShell: spawn .*nothing ENOENT$/);
});
