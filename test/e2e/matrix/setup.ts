import { clearTallies, sumTallies } from './tally.ts';

export function setup(): void {
  clearTallies();
}

/** Says how large the crash matrix was that has just run, and what it found. */
export function teardown(): void {
  const tally = sumTallies();
  if (tally !== undefined) {
    process.stdout.write(
      `crash matrix: ${tally.cells} cells, ${tally.leaks} leaks, ${tally.wrong} wrong answers\n`,
    );
  }
}
