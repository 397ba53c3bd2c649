import { clearTallies, sumTallies } from './tally.ts';

export function setup(): void {
  clearTallies();
}

/** Prints the size of the crash matrix of this run and its findings. */
export function teardown(): void {
  const tally = sumTallies();
  if (tally !== undefined) {
    process.stdout.write(
      `crash matrix: ${tally.cells} cells, ${tally.leaks} leaks, ${tally.wrong} wrong answers\n`,
    );
  }
}
