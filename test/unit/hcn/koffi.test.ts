import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const exe = vi.hoisted(() => ({ isSea: true, assets: [] as readonly string[] }));

vi.mock('node:sea', () => ({
  isSea: () => exe.isSea,
  getAssetKeys: () => exe.assets,
  getRawAsset: (name: string) => new TextEncoder().encode(`content of ${name}`).buffer,
}));

const addon = 'win-hcn-koffi-0123456789abcdef.node';
let folder = '';

beforeEach(() => {
  vi.resetModules();
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-exe-'));
  vi.spyOn(process, 'execPath', 'get').mockReturnValue(join(folder, 'win-hcn.exe'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('in the exe, koffi', () => {
  const config = vi.fn();
  const koffi = { config };

  test('is the addon in it, written beside it, loaded once and with a stack of 1 MiB for calls', async () => {
    exe.assets = ['schema.json', 'win-hcn-koffi-0.node', `x${addon}`, addon, `${addon}.map`];
    const paths: string[] = [];
    vi.spyOn(process, 'dlopen').mockImplementation((loaded, path) => {
      paths.push(path);
      Object.assign(loaded, { exports: koffi });
    });
    const { loadKoffi } = await import('../../../src/hcn/koffi.ts');
    expect([loadKoffi(), loadKoffi()]).toEqual([koffi, koffi]);
    expect(paths).toEqual([join(folder, addon)]);
    expect(readFileSync(join(folder, addon), 'utf8')).toBe(`content of ${addon}`);
    expect(config.mock.calls).toEqual([[{ async_stack_size: 1_048_576 }]]);
  });

  test('that is not in it is an error in one sentence', async () => {
    exe.assets = ['schema.json', 'win-hcn-koffi-0123456789ABCDEF.node'];
    const { loadKoffi } = await import('../../../src/hcn/koffi.ts');
    expect(() => loadKoffi()).toThrow(new Error('win-hcn was packaged without koffi: package it again.'));
  });
});
