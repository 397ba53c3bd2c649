/** Packages the exe and prepares Windows for it, once for all files of tests. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildWindowsStubs } from '../simulator/stub/build.ts';
import { findWine } from './wine.ts';

const root = resolve(import.meta.dirname, '../..');

/** Several projects need Windows; it is prepared once. */
export function setup(): Promise<void> {
  const run = globalThis as { winHcnSuite?: Promise<void> };
  run.winHcnSuite ??= prepare();
  return run.winHcnSuite;
}

/** Sets Wine up where that can be done: as root on Debian. Elsewhere skips, says why, and fails in CI. */
async function prepare(): Promise<void> {
  if ('missing' in findWine() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    try {
      execFileSync('sh', [resolve(import.meta.dirname, 'wine-root.sh')], { stdio: 'inherit' });
    } catch {
      // What is missing is told below.
    }
  }
  const { missing, suitePrefix } = await import('./suite.ts');
  if (missing !== undefined) {
    if (process.env['CI']) throw new Error(missing);
    process.stderr.write(`The tests under Wine are skipped: ${missing}\n`);
    return;
  }
  execFileSync(process.execPath, ['build.mjs', 'package'], { cwd: root, stdio: 'inherit' });
  const { computenetwork, vmcompute } = buildWindowsStubs();
  const prefix = suitePrefix();
  await prefix.prepare([computenetwork, vmcompute]);
  prefix.install(resolve(root, 'dist/win-hcn.exe'));
}

/** Ends the wineserver and whatever still hangs in it. */
export async function teardown(): Promise<void> {
  const { missing, suitePrefix } = await import('./suite.ts');
  if (missing === undefined) await suitePrefix().stop();
}
