import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { terminal } from '../../../src/cli/terminal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-end-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the end of a file', () => {
  test.each([
    [4, 'last'],
    [6, '1\nlast'],
    [1000, '1\nlast'],
    [0, ''],
  ])('of at most %i bytes, with the time of the last change', (most, text) => {
    const path = join(folder, 'log');
    const modified = new Date('2026-03-01T10:00:00.000Z');
    writeFileSync(path, '1\nlast');
    utimesSync(path, modified, modified);
    expect(terminal.readEnd(path, most)).toEqual({ bytes: new Uint8Array(Buffer.from(text)), modified });
  });

  test.each([
    ['missing', () => {}],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe without a writer', (path: string) => execFileSync('mkfifo', [path])],
  ])('is undefined if the file is %s', (_, create) => {
    const path = join(folder, 'log');
    create(path);
    expect(terminal.readEnd(path, 10)).toBeUndefined();
  });
});
