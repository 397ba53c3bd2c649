import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { syntaxProblems } from './parse.ts';

describe('the parser of these tests', () => {
  test.each<readonly [name: string, script: string, problems: readonly string[]]>([
    ['accepts a script', 'Get-NetAdapter | Where-Object { $_.Name -eq "a $($b.c)" }\n', []],
    ['finds a parenthesis that is not closed', '1\nif ($a { 1 }\n', ['line 2: cannot be parsed']],
    ['finds a missing brace', 'try {\n  1\n} finally {\n', ['line 3: } is missing']],
    [
      'finds && and || of PowerShell 7',
      'a\nb && c\nb || c\n',
      ['line 2: joins commands with && or ||', 'line 3: joins commands with && or ||'],
    ],
    ['finds ?? of PowerShell 7', '$a = $b ?? 1\n', ['line 1: cannot be parsed']],
    ['finds the ternary operator of PowerShell 7', '$a = $b ? 1 : 2\n', ['line 1: cannot be parsed']],
  ])('%s', (_, script, problems) => {
    expect(syntaxProblems(script)).toEqual(problems);
  });
});

const read = (file: string) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')] as const;
const files = globSync('test/real/*.{ps1,psm1,psd1}').map(read);

describe.each(files)('%s', (_, text) => {
  test('parses as Windows PowerShell 5.1', () => {
    expect(syntaxProblems(text)).toEqual([]);
  });

  test('is ASCII, which Windows PowerShell 5.1 reads in every code page', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    expect(text).toMatch(/^[\x00-\x7f]*$/);
  });

  test('has at most 250 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(250);
  });
});

test.each(files.filter(([file]) => !file.endsWith('.psd1')))(
  '%s is strict, stops at errors, and says what it is for',
  (_, text) => {
    expect(text).toMatch(/^Set-StrictMode -Version Latest\n\$ErrorActionPreference = 'Stop'$/m);
    expect(text).toMatch(/^\.SYNOPSIS\n\S/m);
  },
);

test.each(files.filter(([file]) => file.endsWith('.ps1')))(
  '%s describes its parameters, and ends with its own exit code',
  (_, text) => {
    // The last program that it ran may have had another.
    expect(text.endsWith('\nexit 0\n')).toBe(true);
    const [, block = ''] = /^param\((.*?)\)\nSet-StrictMode/ms.exec(text) ?? [];
    const names = (pattern: RegExp, within: string) => [...within.matchAll(pattern)].map(([, name]) => name);
    expect(names(/^\.PARAMETER (\w+)$/gm, text)).toEqual(names(/\[(?:\w+)\] \$(\w+)/g, block));
  },
);

const real = (name: string) => readFileSync(`test/real/${name}`, 'utf8');

test('an L2Bridge network exists, and the node has its address again, before the first pod', () => {
  expect(real('network.psm1')).toMatch(
    /^ {4}if \(\$Network -eq 'l2bridge'\) \{\n.*'network', 'ensure', \$path, '--yes'\n.*\n {8}Restore-AdapterAddress\n/m,
  );
});

test('each part of the test node is removed even if another one cannot be', () => {
  const removal = real('prepare-node.ps1').split('function Remove-Node {')[1]?.split('\n}\n')[0] ?? '';
  const changes = removal
    .split('\n')
    .filter((line) => /Stop-Service|Remove-(?:Content|TestNetwork|PingRule|Item)/.test(line));
  const inFunction = changes.filter((line) => !/try \{|Remove-Part|^ {12}/.test(line));
  expect([changes.length, inFunction]).toEqual([5, []]);
});

test.each(['collect-evidence.ps1', 'measure-defender.ps1'])(
  '%s records whether Defender is on, and whether tamper protection may keep it so',
  (name) => {
    expect(real(name)).toMatch(/RealTimeProtectionEnabled\b[^}]*\bIsTamperProtected\b/);
  },
);
