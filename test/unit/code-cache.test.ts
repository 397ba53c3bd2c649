import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, vi } from 'vitest';
import { addCodeCaches } from '../../packaging/code-cache.mjs';
import { notOnWindows } from '../not-on-windows.ts';

afterEach(() => vi.unstubAllEnvs());

notOnWindows('the package is built with its own node.exe there, not Wine')(
  'without Wine there are no code caches, and the reason says so',
  async () => {
    vi.stubEnv('WIN_HCN_WINE_ROOT', '/nowhere');
    vi.stubEnv('PATH', '/nowhere');
    const folder = mkdtempSync(join(tmpdir(), 'win-hcn-cache-'));
    expect(await addCodeCaches(folder, 'node.exe')).toMatch(
      /^no Wine 9 \(.*\): as root, run test\/windows\/wine-root\.sh$/,
    );
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);
