/** Packages the exe and prepares a Wine prefix for each worker, once for all test files. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findWine } from '../../packaging/wine/wine.ts';
import { buildWindowsStubs } from '../simulator/stub/build.ts';

const root = resolve(import.meta.dirname, '../..');

/** Prepares Wine once for all projects that need it. */
export function setup(): Promise<void> {
  const run = globalThis as { winHcnSuite?: Promise<void> };
  run.winHcnSuite ??= prepare();
  return run.winHcnSuite;
}

/** Sets up Wine if possible: as root on Debian. Otherwise prints why the tests are skipped, or throws in CI. */
async function prepare(): Promise<void> {
  if ('missing' in findWine() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    try {
      execFileSync('sh', [resolve(import.meta.dirname, 'wine-root.sh')], { stdio: 'inherit' });
    } catch {
      // The reason is printed below.
    }
  }
  const { missing, suitePrefixes } = await import('./suite.ts');
  if (missing !== undefined) {
    if (process.env['CI']) throw new Error(missing);
    process.stderr.write(`The tests under Wine are skipped: ${missing}\n`);
    return;
  }
  execFileSync(process.execPath, ['build.mjs', 'package'], { cwd: root, stdio: 'inherit' });
  const { computenetwork, vmcompute } = buildWindowsStubs();
  for (const prefix of suitePrefixes()) {
    await prefix.prepare([computenetwork, vmcompute]);
    prefix.install(resolve(root, 'dist/win-hcn.exe'));
  }
}

/** Ends the wineservers and their programs. */
export async function teardown(): Promise<void> {
  const { missing, suitePrefixes } = await import('./suite.ts');
  if (missing === undefined) await Promise.all(suitePrefixes().map((prefix) => prefix.stop()));
}
