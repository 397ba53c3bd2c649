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
