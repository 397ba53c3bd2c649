/** The prefix of a test file, or the reason why its tests are skipped. */

import { spawnSync } from 'node:child_process';
import { Prefix, type Run, type RunOptions } from '../../packaging/wine/prefix.ts';
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

/** Starts a program once more, and says so, if Wine ended it before it ran. */
class SuitePrefix extends Prefix {
  override async run(exe: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Run> {
    const run = await super.run(exe, args, options);
    if (!isEndedByWine(run, options)) return run;
    process.stderr.write(`Wine ended ${exe} before it ran: starting it again\n`);
    return super.run(exe, args, options);
  }
}

/**
 * Whether a program ended as Wine ends those whose wineserver is gone when they start: with this error or, as if it had succeeded, without
 * any output (both seen after killing the wineserver). win-hcn itself cannot end an ADD or VERSION so: test/e2e/process.test.ts.
 */
function isEndedByWine({ exitCode, stdout, stderr }: Run, { env = {} }: RunOptions): boolean {
  if (stdout !== '') return false;
  const mustPrint = ['ADD', 'VERSION'].includes(env['CNI_COMMAND'] ?? '');
  return (mustPrint && exitCode === 0 && stderr === '') || stderr.startsWith('wine client error:');
}

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
  return new SuitePrefix(wine, `suite${worker}`);
}
