import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKoffi, placeAddon } from '../../src/hcn/koffi.ts';

const bytes = new TextEncoder().encode('the addon');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-addon-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the addon is written beside the exe and nothing else is left there', () => {
  const path = placeAddon(folder, 'koffi.node', bytes);
  expect(readFileSync(path, 'utf8')).toBe('the addon');
  expect(readdirSync(folder)).toEqual(['koffi.node']);
});

test('an addon that is there is used as it is', () => {
  const before = statSync(placeAddon(folder, 'koffi.node', bytes));
  expect(statSync(placeAddon(folder, 'koffi.node', bytes)).ino).toBe(before.ino);
});

test('an addon that somebody changed is replaced', () => {
  writeFileSync(join(folder, 'koffi.node'), 'THE addon');
  expect(readFileSync(placeAddon(folder, 'koffi.node', bytes), 'utf8')).toBe('the addon');
});

test('a folder that refuses the addon is named in one sentence', () => {
  const missing = join(folder, 'missing');
  expect(() => placeAddon(missing, 'koffi.node', bytes)).toThrow(
    `Cannot write ${join(missing, 'koffi.node')} (ENOENT): let the account that runs this plugin write to ${missing}.`,
  );
  expect(existsSync(missing)).toBe(false);
});

test('in development koffi is the one in node_modules', () => {
  expect(loadKoffi().version).toMatch(/^3\./);
});
