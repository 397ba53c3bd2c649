import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Numbers of cells, of objects left over or lost, and of wrong answers. */
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

/** Saves the counts of a test file for the end of the run. */
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

/** Returns the sum of all counts; undefined if no part of the matrix ran. */
export function sumTallies(): Tally | undefined {
  mkdirSync(folder, { recursive: true });
  const tallies = readdirSync(folder).map(
    (name): Tally => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  return tallies.length === 0 ? undefined : tallies.reduce(addTallies, noTally);
}
