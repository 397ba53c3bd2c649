import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../../src/system.ts';
import { startHns } from '../simulator/hns.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-system-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const script = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
};

describe('a program', () => {
  test('is killed after its time limit', async () => {
    expect(await system.spawn(script('slow', 'exec sleep 60'), {}, '', 0.2)).toEqual({
      exitCode: null,
      stdout: '',
    });
  });

  test('is killed if it prints more than 1 MiB, and its output is dropped', async () => {
    const babbler = script('babbler', 'exec yes');
    expect(await system.spawn(babbler, {}, '', 60)).toEqual({ exitCode: null, stdout: undefined });
  });

  test('that cannot be started is an error', async () => {
    await expect(system.spawn(join(folder, 'nothing'), {}, '', 5)).rejects.toThrow('ENOENT');
  });
});

test('a path that cannot be read is not a file', () => {
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
  for (const path of [join(folder, 'loop'), join(folder, 'x'.repeat(300)), join(folder, 'nothing'), folder]) {
    expect(system.isFile(path)).toBe(false);
  }
});

test('a file has an id that differs after it was replaced or written, and the time of the last write', () => {
  const path = join(folder, '10.244.1.5');
  const written = new Date('2026-01-01T00:00:00.000Z');
  const write = (time: Date) => {
    writeFileSync(path, 'pod');
    utimesSync(path, time, time);
    return system.findFile(path);
  };
  expect(system.findFile(path)).toBeUndefined();
  const first = write(written);
  expect(first).toEqual({
    id: expect.stringMatching(/^\d+ 1767225600000000000$/),
    modified: written.getTime(),
  });
  expect(system.findFile(path)).toEqual(first);
  expect(write(new Date(written.getTime() + 1))).not.toMatchObject({ id: (first as { id: string }).id });
  renameSync(path, `${path}.old`);
  expect(write(written)).not.toMatchObject({ id: (first as { id: string }).id });
});

test.each([
  ['a folder', () => folder, 'unreadable'],
  ['a link that leads to itself', () => join(folder, 'loop'), 'unreadable'],
  ['in a file', () => join(folder, 'deaf', 'x'), undefined],
])('a path that is %s has no file: %s', (_, path, expected) => {
  expect(system.findFile(path())).toBe(expected);
});

describe("the host's IP Helper", () => {
  test('is the substitute library outside Windows', async () => {
    const hns = await startHns();
    Object.assign(process.env, hns.environment);
    const adapters = await (await system.loadIpHelper()).readAdapters();
    expect(adapters.map(({ alias }) => alias)).toEqual(['Ethernet']);
    await hns.stop();
  });

  test('is missing without Windows and substitute', async () => {
    delete process.env['WIN_HCN_LIBRARY'];
    await expect(system.loadIpHelper()).rejects.toThrow('this machine does not run Windows');
    process.env['WIN_HCN_LIBRARY'] = '/none.so';
    await expect(system.loadIpHelper()).rejects.toThrow('/none.so is missing');
  });
});
