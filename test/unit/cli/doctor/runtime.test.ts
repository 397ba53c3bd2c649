import { describe, expect, test } from 'vitest';
import { readConfFolder } from '../../../../src/cli/conflist/conf-file.ts';
import { containerdCommands } from '../../../../src/cli/containerd/commands.ts';
import { fileAccess } from '../../../../src/cli/terminal/access.ts';
import { quote, runQuery } from '../../../../src/cli/terminal/powershell.ts';
import type { ScriptResult } from '../../../../src/cli/terminal/run-program.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import {
  ancestorFolders,
  isInFolder,
  joinPath,
  parentFolder,
} from '../../../../src/cli/terminal/windows-path.ts';

const printing = (end: ScriptResult) => ({ ...terminal, powershell: async () => end });

describe('the output of a query', () => {
  test.each([
    [
      '{"services":["containerd.exe -c a"],"processes":[""]}\r\n',
      {
        value: {
          isService: true,
          isRunning: true,
          serviceCommandLines: ['containerd.exe -c a'],
          commandLines: ['containerd.exe -c a'],
        },
      },
    ],
    [
      '{"services":[],"processes":[]}',
      { value: { isService: false, isRunning: false, serviceCommandLines: [], commandLines: [] } },
    ],
    ['', { error: 'PowerShell printed unexpected output: nothing' }],
    ['Access is denied.\r\nAt line 1', { error: 'PowerShell printed unexpected output: Access is denied.' }],
    [`${'x'.repeat(59)} y`, { error: `PowerShell printed unexpected output: ${'x'.repeat(59)}...` }],
  ])('is read or is an error: %j', async (stdout, expected) => {
    expect(await runQuery(printing({ stdout }), containerdCommands)).toEqual(expected);
  });

  test('is an error if the script fails', async () => {
    const problem = 'PowerShell did not finish within 15 s';
    expect(await runQuery(printing({ problem }), containerdCommands)).toEqual({ error: problem });
  });
});

test('a folder with the name of a configuration is ignored', async () => {
  const files: Readonly<Record<string, string>> = { 'C:\\c\\b.conf': '{"type":"nat"}' };
  const system = { executable: 'C:\\win-hcn.exe' };
  const withFolder = {
    ...terminal,
    listFolder: () => ['a.conf', 'b.conf'],
    readFile: (path: string) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
      return new TextEncoder().encode(text);
    },
  };
  expect(await readConfFolder('C:\\c', { terminal: withFolder, system })).toMatchObject({
    value: [{ path: 'C:\\c\\b.conf' }],
  });
});

test('a path cannot add commands to a script', () => {
  const { script } = fileAccess(["C:\\a'; Remove-Item C:\\", 'C:\\b\u2019; $(exit)']);
  expect(script).toContain("$paths = @('C:\\a''; Remove-Item C:\\', 'C:\\b\u2019\u2019; $(exit)')\n");
});

test.each([
  ['C:\\opt\\cni\\bin', 'C:\\opt\\cni\\bin'],
  ['C:\\Program Files\\x', "'C:\\Program Files\\x'"],
  ["it's", "'it''s'"],
  ['$(exit)', "'$(exit)'"],
  ['', "''"],
  ['-Force.conf.off', "'-Force.conf.off'"],
])('%j is %s in a command', (text, expected) => {
  expect(quote(text)).toBe(expected);
});

test("a drive's root keeps its backslash", () => {
  expect(parentFolder('C:\\win-hcn.exe')).toBe('C:\\');
  expect(joinPath('C:\\', 'x')).toBe('C:\\x');
  expect(isInFolder('c:\\x', 'C:\\')).toBe(true);
  expect(isInFolder('C:\\', 'C:\\')).toBe(false);
});

test("the ancestors of a path do not include the drive's root", () => {
  expect(ancestorFolders('C:\\opt\\cni\\bin')).toEqual(['C:\\opt\\cni', 'C:\\opt']);
  expect(ancestorFolders('C:\\opt')).toEqual([]);
  expect(ancestorFolders('/opt/cni/bin')).toEqual(['/opt/cni', '/opt']);
  expect(ancestorFolders('win-hcn.exe')).toEqual([]);
});

test.each([
  ['C:\\opt', 'C:\\opt\\x'],
  ['C:/opt/', 'C:/opt/x'],
  ['/opt', '/opt/x'],
])('a name is joined to %s', (folder, path) => {
  expect(joinPath(folder, 'x')).toBe(path);
});
