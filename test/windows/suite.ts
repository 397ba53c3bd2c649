/** The prefix that all tests here share, or the reason why they are skipped. */

import { spawnSync } from 'node:child_process';
import { Prefix } from '../../packaging/wine/prefix.ts';
import { findWine } from '../../packaging/wine/wine.ts';

const wine = findWine();
const compiler = spawnSync('x86_64-w64-mingw32-gcc', ['--version']).status === 0;

/** Why the tests cannot run here; undefined if they can. */
export const missing = reason();

function reason(): string | undefined {
  if ('missing' in wine) return wine.missing;
  return compiler ? undefined : 'no mingw (x86_64-w64-mingw32-gcc), which builds the simulated DLLs';
}

/** The folder in which setup.ts installs the exe. */
export const exe = 'C:\\opt\\cni\\bin\\win-hcn.exe';

/** Returns the prefix that setup.ts prepares. Call it only if `missing` is undefined. */
export function suitePrefix(): Prefix {
  if ('missing' in wine) throw new Error(wine.missing);
  return new Prefix(wine, 'suite');
}
