import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../../src/system.ts';

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

describe("the host's IP Helper", () => {
  test('is missing without Windows and substitute', async () => {
    delete process.env['WIN_HCN_LIBRARY'];
    await expect(system.loadIpHelper()).rejects.toThrow('this machine does not run Windows');
    process.env['WIN_HCN_LIBRARY'] = '/none.so';
    await expect(system.loadIpHelper()).rejects.toThrow('/none.so is missing');
  });
});
