import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installFiles } from '../../../src/cli/install/files.ts';
import { readFileEnd, readPieces, readWholeFile } from '../../../src/cli/terminal/read-file.ts';
import { terminal } from '../../../src/cli/terminal/terminal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-read-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modified = new Date('2026-03-01T10:00:00.000Z');
const mebibyte = 1024 * 1024;

/** All that the command line reads files with. */
const readers: readonly (readonly [string, (file: string) => unknown])[] = [
  ['a configuration', (file) => terminal.readFile(file, mebibyte)],
  ['any other file', (file) => terminal.readFile(file)],
  ['the end of a log', (file) => readFileEnd(file, 10)],
  ['a file of an installation', (file) => installFiles.read(file)],
  ['the hash of a program', (file) => installFiles.sha256(file)],
  ['a program to copy', (file) => readPieces(file).next()],
];

describe('a file without end is refused at once and closed', () => {
  test.each(readers)('as %s', (_, read) => {
    execFileSync('mkfifo', [path]);
    mkdirSync(join(folder, 'folder'));
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    expect(() => read('/dev/zero')).toThrow('it is not a regular file');
    expect(() => read(path)).toThrow('it is not a regular file');
    expect(() => read(join(folder, 'folder'))).toThrow(
      expect.objectContaining({ code: 'EISDIR', message: 'it is a folder' }),
    );
    for (const device of ['CON', '\\\\.\\pipe\\docker_engine', '\\\\.\\PhysicalDrive0', 'COM1', 'NUL'])
      expect(() => read(device)).toThrow('it is a Windows device or pipe, not a file');
    expect(() => read(join(folder, 'missing'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(open()).toBe(before);
  });
});

describe('a file', () => {
  test.each([0, 65_536, 65_537])('of %i bytes is read whole', (size) => {
    const bytes = Buffer.alloc(size, 'abcdefg');
    writeFileSync(path, bytes);
    expect(bytes.equals(readWholeFile(path, Math.max(size, 1)))).toBe(true);
    expect(bytes.equals(readWholeFile(path, size))).toBe(true);
  });

  test('of one byte more than the limit is refused without reading it', () => {
    writeFileSync(path, '12345');
    expect(() => readWholeFile(path, 4)).toThrow('it exceeds 4 bytes');
    // Of 8 TiB, which only exist on paper.
    truncateSync(path, 8 * 2 ** 40);
    expect(() => readWholeFile(path)).toThrow('it exceeds 67108864 bytes (64 MiB)');
    expect(() => terminal.readFile(path, mebibyte)).toThrow('it exceeds 1048576 bytes (1 MiB)');
  });

  test('whose size is unknown is read up to its limit', () => {
    const whole = readWholeFile('/proc/self/environ');
    expect(whole.length).toBeGreaterThan(1);
    expect(() => readWholeFile('/proc/self/environ', whole.length - 1)).toThrow(
      `it exceeds ${whole.length - 1} bytes`,
    );
  });

  test.each([mebibyte, 2 * mebibyte + 3])('of %i bytes has pieces of 1 MiB', (size) => {
    const bytes = Buffer.alloc(size, 'abcdefg');
    writeFileSync(path, bytes);
    const pieces = Array.from(readPieces(path), (piece) => Buffer.from(piece));
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(pieces).toHaveLength(Math.ceil(size / mebibyte));
  });

  test('that is shortened while it is read has no further pieces', () => {
    writeFileSync(path, Buffer.alloc(2 * mebibyte));
    const pieces = readPieces(path);
    expect(pieces.next().value).toHaveLength(mebibyte);
    truncateSync(path, mebibyte);
    expect(pieces.next()).toEqual({ done: true, value: undefined });
  });
});

describe('the end of a file', () => {
  test.each([
    [4, 'last'],
    [6, '1\nlast'],
    [1000, '1\nlast'],
    [0, ''],
  ])('of at most %i bytes, with its size and the time of the last change', (most, text) => {
    writeFileSync(path, '1\nlast');
    utimesSync(path, modified, modified);
    expect(terminal.readEnd(path, most)).toEqual({
      bytes: new Uint8Array(Buffer.from(text)),
      size: 6,
      modified,
    });
  });

  test.each([
    ['missing', () => {}],
    ['a folder', (place: string) => mkdirSync(place)],
    ['a pipe without a writer', (place: string) => execFileSync('mkfifo', [place])],
  ])('is undefined if the file is %s', (_, create) => {
    create(path);
    expect(terminal.readEnd(path, 10)).toBeUndefined();
  });
});
