import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  test('need not read its stdin', async () => {
    const exit = await system.spawn(script('deaf', 'echo done'), {}, 'x'.repeat(1_000_000), 5);
    expect(exit).toEqual({ exitCode: 0, stdout: 'done\n' });
  });

  test('is killed if it prints more than 1 MiB, and its output is dropped', async () => {
    const babbler = script('babbler', 'exec yes');
    expect(await system.spawn(babbler, {}, '', 60)).toEqual({ exitCode: null, stdout: undefined });
  }, 30_000);

  test('may print 1 MiB', async () => {
    const { stdout } = await system.spawn(script('large', 'head -c 1048576 /dev/zero'), {}, '', 30);
    expect(stdout).toHaveLength(1_048_576);
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
