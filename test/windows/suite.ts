/** The prefix of a test file, or the reason why its tests are skipped. */

import { spawnSync } from 'node:child_process';
import { Prefix } from '../../packaging/wine/prefix.ts';
import { findWine } from '../../packaging/wine/wine.ts';
import { workers } from './workers.ts';

const wine = findWine();
const compiler = spawnSync('x86_64-w64-mingw32-gcc', ['--version']).status === 0;

/** Why the tests cannot run here; undefined if they can. */
export const missing = reason();

function reason(): string | undefined {
  if ('missing' in wine) return wine.missing;
  return compiler ? undefined : 'no mingw (x86_64-w64-mingw32-gcc), which builds the simulated DLLs';
}

/** Where setup.ts installs the exe in each prefix. */
export const exe = 'C:\\opt\\cni\\bin\\win-hcn.exe';

/**
 * Returns the prefix of this worker, which runs one test file after the other: no two that run at once share a drive or a wineserver. Call
 * it only if `missing` is undefined.
 */
export function suitePrefix(): Prefix {
  return prefixOf(Number(process.env['VITEST_POOL_ID']));
}

/** Returns the prefixes of all workers, which setup.ts prepares. */
export function suitePrefixes(): readonly Prefix[] {
  return Array.from({ length: workers }, (_, index) => prefixOf(index + 1));
}

function prefixOf(worker: number): Prefix {
  if ('missing' in wine) throw new Error(wine.missing);
  return new Prefix(wine, `suite${worker}`);
}
