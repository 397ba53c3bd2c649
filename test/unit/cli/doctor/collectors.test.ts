import { describe, expect, test } from 'vitest';
import { readConfFolder } from '../../../../src/cli/doctor/collectors/configuration.ts';
import { readContainerd } from '../../../../src/cli/doctor/collectors/containerd.ts';
import { askContainerdCommands } from '../../../../src/cli/doctor/collectors/containerd-commands.ts';
import { askFiles } from '../../../../src/cli/doctor/collectors/files.ts';
import { answersIn } from '../../../../src/cli/doctor/collectors/log-answers.ts';
import { folderOf, foldersAbove, inFolder, isBelow } from '../../../../src/cli/doctor/paths.ts';
import { quoted } from '../../../../src/cli/doctor/quoted.ts';
import type { ScriptResult } from '../../../../src/cli/powershell.ts';
import { terminal } from '../../../../src/cli/terminal.ts';

const printing = (end: ScriptResult) => ({ ...terminal, powershell: async () => end });

describe('what PowerShell prints', () => {
  test.each([
    [
      '{"services":["containerd.exe -c a"],"processes":[""]}\r\n',
      { known: { isService: true, isRunning: true, commandLines: ['containerd.exe -c a'] } },
    ],
    ['{"services":[],"processes":[]}', { known: { isService: false, isRunning: false, commandLines: [] } }],
    ['', { unknown: 'PowerShell printed what nobody asked for: nothing' }],
    [
      'Access is denied.\r\nAt line 1',
      { unknown: 'PowerShell printed what nobody asked for: Access is denied.' },
    ],
    ['[]', { unknown: 'PowerShell printed what nobody asked for: []' }],
    ['{"services":"one"}', { unknown: 'PowerShell printed what nobody asked for: {"services":"one"}' }],
    ['{"services":[5]}', { unknown: 'PowerShell printed what nobody asked for: {"services":[5]}' }],
    ['null', { unknown: 'PowerShell printed what nobody asked for: null' }],
  ])('is read, or is unknown: %j', async (stdout, expected) => {
    expect(await askContainerdCommands(printing({ stdout }))).toEqual(expected);
  });

  test('nothing, for a reason, is unknown for that reason', async () => {
    const problem = 'PowerShell did not finish within 15 s';
    expect(await askContainerdCommands(printing({ problem }))).toEqual({ unknown: problem });
  });
});

test.each([
  ['C:\\k\\conf.d\\*.toml', ['C:\\k\\conf.d\\*.toml']],
  ['conf.d\\a.toml', ['conf.d\\a.toml']],
  ['conf.d\\b.toml', []],
  ['C:/k/nothing/*.toml', []],
])('imports of containerd count where they have a file: %s', async (imported, expected) => {
  const files: Readonly<Record<string, string>> = {
    'C:\\Program Files\\containerd\\config.toml': `imports = ['${imported}']`,
  };
  const containerd = await readContainerd({
    ...printing({ problem: '' }),
    readFile: (path) => new TextEncoder().encode(files[path]),
    listFolder: (path) => {
      if (path.endsWith('conf.d')) return ['a.toml', 'readme.txt'];
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    },
  });
  expect(containerd.config).toMatchObject({ known: { imports: expected } });
});

test('a folder among the configurations is passed over, whatever its name', async () => {
  const files: Readonly<Record<string, string>> = { 'C:\\c\\b.conf': '{"type":"nat"}' };
  const system = { executable: 'C:\\win-hcn.exe' };
  const inFolder = {
    ...terminal,
    listFolder: () => ['a.conf', 'b.conf'],
    readFile: (path: string) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
      return new TextEncoder().encode(text);
    },
  };
  expect(await readConfFolder('C:\\c', { terminal: inFolder, system })).toMatchObject({
    known: [{ path: 'C:\\c\\b.conf' }],
  });
});

test('a path is one word of a script, whatever is in it', async () => {
  let script = '';
  const watching = {
    ...terminal,
    powershell: async (text: string) => {
      script = text;
      return { problem: '' };
    },
  };
  await askFiles(watching, ["C:\\a'; Remove-Item C:\\", 'C:\\b\u2019; $(exit)']);
  expect(script).toContain("$paths = @('C:\\a''; Remove-Item C:\\', 'C:\\b\u2019\u2019; $(exit)')\n");
});

test.each([
  ['C:\\opt\\cni\\bin', 'C:\\opt\\cni\\bin'],
  ['C:\\Program Files\\x', "'C:\\Program Files\\x'"],
  ["it's", "'it''s'"],
  ['$(exit)', "'$(exit)'"],
  ['', "''"],
  ['-Force.conf.off', "'-Force.conf.off'"],
])('%j is %s in a command to copy', (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

test('the answers of a log have the commands they are to, where those are there', () => {
  const log = [
    '{"time":"t1","request":"a","event":"request","command":"ADD"}',
    '{"time":"t2","request":"b","event":"answer","code":0}',
    'not JSON',
    '5',
    '{"time":"t3","request":"a","event":"answer","code":11,"msg":"late"}',
    '{"time":"t4","request":"a","event":"answ',
  ].join('\n');
  expect(answersIn(log)).toEqual([
    { time: 't2', command: '', code: 0, message: '' },
    { time: 't3', command: 'ADD', code: 11, message: 'late' },
  ]);
});

test("a drive's own folder is not the current one", () => {
  expect(folderOf('C:\\win-hcn.exe')).toBe('C:\\');
  expect(inFolder('C:\\', 'x')).toBe('C:\\x');
  expect(isBelow('c:\\x', 'C:\\')).toBe(true);
  expect(isBelow('C:\\', 'C:\\')).toBe(false);
});

test('the folders above a path end below the drive', () => {
  expect(foldersAbove('C:\\opt\\cni\\bin')).toEqual(['C:\\opt\\cni', 'C:\\opt']);
  expect(foldersAbove('C:\\opt')).toEqual([]);
  expect(foldersAbove('/opt/cni/bin')).toEqual(['/opt/cni', '/opt']);
  expect(foldersAbove('win-hcn.exe')).toEqual([]);
});

test.each([
  ['C:\\opt', 'C:\\opt\\x'],
  ['C:/opt/', 'C:/opt/x'],
  ['/opt', '/opt/x'],
])('a name in %s', (folder, path) => {
  expect(inFolder(folder, 'x')).toBe(path);
});
