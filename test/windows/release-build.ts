/** Builds releases for tests: in this checkout, or in a copy of it. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The time of the releases, in seconds since 1970. */
export const epoch = '1780000002';

/** Runs `npm run release` in a checkout, with its Wine or that of this checkout, and returns what it prints. */
export function release(
  checkout: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): string {
  const root = process.env['WIN_HCN_WINE_ROOT'] ?? resolve('build/wine-root');
  const wine = existsSync(root) ? { WIN_HCN_WINE_ROOT: root } : {};
  const env = { ...process.env, ...wine, SOURCE_DATE_EPOCH: epoch, ...environment };
  const run = [join(checkout, 'build.mjs'), 'release', ...args];
  return execFileSync(process.execPath, run, { cwd: checkout, env, encoding: 'utf8', stdio: 'pipe' });
}

/** What a release is built from, with the packages and the booted Wine of this checkout, and without generated files. */
export function copyCheckout(checkout: string): void {
  const isCopied = (file: string): boolean => !/node_modules|generated/.test(file);
  const folders = ['conflist-examples', 'deploy', 'docs', 'packaging', 'schemas', 'src'];
  const files = [
    'build.mjs',
    'LICENSE',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    ...globSync('*.md'),
  ];
  for (const name of [...folders, ...files])
    cpSync(name, join(checkout, name), { recursive: true, filter: isCopied });
  for (const name of ['node_modules', 'packaging/node_modules'])
    symlinkSync(resolve(name), join(checkout, name), 'dir');
  const booted = 'build/wine/template';
  if (existsSync(booted)) cpSync(booted, join(checkout, booted), { recursive: true, verbatimSymlinks: true });
}
