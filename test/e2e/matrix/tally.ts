import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How many cells there were, and how many of the things they found were leaks. */
export interface Tally {
  readonly cells: number;
  readonly leaks: number;
}

const folder = 'build/crash-matrix';

export function clearTallies(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Keeps what a file of tests has counted for the end of the run. */
export function writeTally(testFile: string, tally: Tally): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${basename(testFile, '.test.ts')}.json`), JSON.stringify(tally));
}

/** The sum of all that was counted; undefined where no part of the matrix has run. */
export function sumTallies(): Tally | undefined {
  mkdirSync(folder, { recursive: true });
  const tallies = readdirSync(folder).map(
    (name): Tally => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  if (tallies.length === 0) return undefined;
  return {
    cells: tallies.reduce((sum, { cells }) => sum + cells, 0),
    leaks: tallies.reduce((sum, { leaks }) => sum + leaks, 0),
  };
}
