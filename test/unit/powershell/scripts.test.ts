import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { syntaxProblems } from './parse.ts';

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
