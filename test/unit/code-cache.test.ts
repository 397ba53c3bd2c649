import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { addCodeCaches } from '../../packaging/code-cache.mjs';

afterEach(() => vi.unstubAllEnvs());

test.skipIf(process.platform === 'win32')(
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
