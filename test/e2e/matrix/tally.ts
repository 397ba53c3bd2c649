import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How many cells there were, how many things they found left or lost, and how many were answered otherwise than they should. */
export interface Tally {
  readonly cells: number;
  readonly leaks: number;
  readonly wrong: number;
}

export const noTally: Tally = { cells: 0, leaks: 0, wrong: 0 };

const folder = 'build/crash-matrix';

export function clearTallies(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Keeps what a file of tests has counted for the end of the run. */
export function writeTally(testFile: string, tally: Tally): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${basename(testFile, '.test.ts')}.json`), JSON.stringify(tally));
}

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    cells: one.cells + other.cells,
    leaks: one.leaks + other.leaks,
    wrong: one.wrong + other.wrong,
  };
}

/** The sum of all that was counted; undefined where no part of the matrix has run. */
export function sumTallies(): Tally | undefined {
  mkdirSync(folder, { recursive: true });
  const tallies = readdirSync(folder).map(
    (name): Tally => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  return tallies.length === 0 ? undefined : tallies.reduce(addTallies, noTally);
}
