import { afterAll, expect, test } from 'vitest';
import type { Report } from './matrix.ts';
import type { Behaviour } from './other-hns.ts';
import { addTallies, noTally, writeTally } from './tally.ts';

/** Defines one test per row of the covering array, which expects the number of cells in `cells` and no fault in any. */
export function testRows(
  file: string,
  cells: readonly number[],
  rows: readonly Behaviour[],
  run: (row: Behaviour, index: number) => Promise<Report>,
): void {
  let tally = noTally;
  let unreported = rows.length;
  afterAll(() => writeTally(file, addTallies(tally, { ...noTally, wrong: unreported })));

  test('every row has a cell count', () => {
    expect(cells).toHaveLength(rows.length);
  });
  test.each(rows.map((row, index) => ({ row, index, name: row.name })))(
    'no object is left and no answer is wrong $name',
    async ({ row, index }) => {
      const report = await run(row, index);
      unreported -= 1;
      const { leaks, surprises } = report;
      tally = addTallies(tally, { cells: report.cells, leaks: leaks.length, wrong: surprises.length });
      expect(report, JSON.stringify(row.switches)).toEqual({ cells: cells[index], leaks: [], surprises: [] });
    },
    600_000,
  );
}
