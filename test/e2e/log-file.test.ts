import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLogFile } from '../../src/log/log-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'win-hcn-log-file-')));
  file = join(folder, 'logs', 'win-hcn.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const noon = () => new Date('2026-11-21T12:00:00.123Z');
const append = (text: string, path = file) => openLogFile(path, noon)(text);

test('the folder is created, and existing text is kept', () => {
  expect([append('one\n'), append('two\n')]).toEqual([true, true]);
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(file).mode & 0o007).toBe(0);
});

describe('nothing is written and nothing throws', () => {
  const elsewhere = () => join(folder, 'elsewhere');

  test.each<[string, () => void]>([
    ['a link', () => symlinkSync(elsewhere(), file)],
    [
      'another one by a second name',
      () => {
        writeFileSync(elsewhere(), '');
        linkSync(elsewhere(), file);
      },
    ],
    ['a folder', () => mkdirSync(file)],
    ['a pipe without a reader', () => execFileSync('mkfifo', [file])],
  ])('if the file is %s', (_, prepare) => {
    mkdirSync(join(folder, 'logs'));
    prepare();
    expect(append('text\n')).toBe(false);
    if (existsSync(elsewhere())) expect(readFileSync(elsewhere(), 'utf8')).toBe('');
  });

  test('if the folder is a link', () => {
    mkdirSync(elsewhere());
    symlinkSync(elsewhere(), join(folder, 'logs'));
    expect(append('text\n')).toBe(false);
    expect(append('text\n', join(folder, 'logs', 'deeper', 'win-hcn.log'))).toBe(false);
    expect(readdirSync(elsewhere())).toEqual([]);
  });
});

describe('a file of 10 MiB', () => {
  const full = () => truncateSync(file, 10 * 1024 * 1024);

  test('is renamed to a name with the time', () => {
    append('old\n');
    full();
    append('new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readdirSync(join(folder, 'logs'))).toEqual(['win-hcn-20261121T120000123Z.log', 'win-hcn.log']);
  });

  test('and four older ones are kept, and no other file is deleted', () => {
    append('old\n');
    const others = ['win-hcn-notes.log', 'win-hcn.log.txt', 'another-20200101T000000000Z.log'];
    const older = [1, 2, 3, 4, 5].map((day) => `win-hcn-2026110${day}T000000000Z.log`);
    for (const name of [...others, ...older]) writeFileSync(join(folder, 'logs', name), '');
    full();
    append('new\n');
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual(
      [...others, ...older.slice(2), 'win-hcn-20261121T120000123Z.log', 'win-hcn.log'].sort(),
    );
  });

  test('is rotated once by two requests that find it full', () => {
    append('old\n');
    full();
    const meanwhile = () => {
      openLogFile(file, noon)('first\n');
      return new Date('2026-11-21T12:00:00.124Z');
    };
    expect(openLogFile(file, meanwhile)('second\n')).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
    expect(readdirSync(join(folder, 'logs'))).toEqual(['win-hcn-20261121T120000123Z.log', 'win-hcn.log']);
  });
});
