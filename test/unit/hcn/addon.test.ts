import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadKoffi, placeAddon } from '../../../src/hcn/koffi.ts';
import { notUnderWine } from '../../not-on-windows.ts';

const bytes = new TextEncoder().encode('the addon');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-addon-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the addon is written beside the exe, with no other file', () => {
  const path = placeAddon(folder, 'koffi.node', bytes);
  expect(readFileSync(path, 'utf8')).toBe('the addon');
  expect(readdirSync(folder)).toEqual(['koffi.node']);
});

test.each([
  ['in its last byte', (whole: Uint8Array) => whole.with(-1, 1)],
  ['in its first byte', (whole: Uint8Array) => whole.with(0, 1)],
  ['because it is shorter', (whole: Uint8Array) => whole.subarray(0, 65536)],
  ['because it is longer', (whole: Uint8Array) => Uint8Array.of(...whole, 0)],
])('an addon of more than one piece is compared to its end: it differs %s', (_, modify) => {
  const large = new Uint8Array(100_000);
  writeFileSync(join(folder, 'koffi.node'), modify(large));
  expect(readFileSync(placeAddon(folder, 'koffi.node', large)).equals(large)).toBe(true);
});

test('an addon of more than one piece is used unchanged', () => {
  const large = new Uint8Array(100_000).map((_, index) => index % 251);
  const before = statSync(placeAddon(folder, 'koffi.node', large));
  expect(statSync(placeAddon(folder, 'koffi.node', large)).ino).toBe(before.ino);
});

test('a modified read-only addon is replaced', () => {
  writeFileSync(join(folder, 'koffi.node'), 'THE addon');
  chmodSync(join(folder, 'koffi.node'), 0o444);
  expect(readFileSync(placeAddon(folder, 'koffi.node', bytes), 'utf8')).toBe('the addon');
});

notUnderWine('Wine creates no symbolic links')(
  'a link in its place is replaced even if its target has the right bytes, and the target stays',
  () => {
    const elsewhere = join(folder, 'elsewhere');
    for (const content of ['the addon', 'precious']) {
      rmSync(join(folder, 'koffi.node'), { force: true });
      writeFileSync(elsewhere, content);
      symlinkSync(elsewhere, join(folder, 'koffi.node'));
      const path = placeAddon(folder, 'koffi.node', bytes);
      expect(lstatSync(path).isFile()).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe('the addon');
      expect(readFileSync(elsewhere, 'utf8')).toBe(content);
    }
  },
);

test('a file with a second hard link is replaced, because it could be modified through that link', () => {
  writeFileSync(join(folder, 'second'), bytes);
  linkSync(join(folder, 'second'), join(folder, 'koffi.node'));
  expect(statSync(placeAddon(folder, 'koffi.node', bytes)).nlink).toBe(1);
});

notUnderWine('Wine creates no symbolic links')(
  'a link in the place of the temporary file is not followed',
  () => {
    const target = join(folder, 'elsewhere');
    writeFileSync(target, 'precious');
    const now = process.hrtime.bigint();
    vi.spyOn(process.hrtime, 'bigint').mockReturnValue(now);
    symlinkSync(target, join(folder, `koffi.node.${process.pid}-${now}`));
    expect(() => placeAddon(folder, 'koffi.node', bytes)).toThrow('(EEXIST)');
    vi.restoreAllMocks();
    expect(readFileSync(target, 'utf8')).toBe('precious');
  },
);

test('a folder in its place is refused in one sentence, and no other file is left', () => {
  const path = join(folder, 'koffi.node');
  mkdirSync(path);
  const code = process.platform === 'win32' ? 'EPERM' : 'EISDIR';
  expect(() => placeAddon(folder, 'koffi.node', bytes)).toThrow(
    `${path} is not the file that this win-hcn wrote and cannot be replaced (${code}): delete it.`,
  );
  expect(readdirSync(folder)).toEqual(['koffi.node']);
});

describe('addons of other versions', () => {
  const name = 'win-hcn-koffi-0123456789abcdef.node';
  const older = 'win-hcn-koffi-fedcba9876543210.node';
  const others = ['koffi.node', 'win-hcn-koffi-1.node', `${older}.7-1`, 'win-hcn.exe'];

  test('are deleted when this one is written, and no other files are', () => {
    for (const other of [older, ...others]) writeFileSync(join(folder, other), 'x');
    placeAddon(folder, name, bytes);
    expect(readdirSync(folder).toSorted()).toEqual([name, ...others].toSorted());
  });

  test('that cannot be deleted are ignored', () => {
    mkdirSync(join(folder, older));
    expect(readFileSync(placeAddon(folder, name, bytes), 'utf8')).toBe('the addon');
  });
});

test('an error names a folder that refuses the addon, in one sentence', () => {
  const missing = join(folder, 'missing');
  expect(() => placeAddon(missing, 'koffi.node', bytes)).toThrow(
    expect.objectContaining({
      message: `Cannot write ${join(missing, 'koffi.node')} (ENOENT): allow the account that runs this plugin to write to ${missing}.`,
      cause: expect.objectContaining({ code: 'ENOENT' }),
    }),
  );
  expect(existsSync(missing)).toBe(false);
});

test('in development, koffi is loaded from node_modules', () => {
  expect(loadKoffi().version).toMatch(/^3\./);
});
