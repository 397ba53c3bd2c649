import { afterAll, expect, test } from 'vitest';
import type { Cells, Part } from './cells.ts';
import type { Report } from './matrix.ts';
import type { Scenario } from './scenario.ts';
import { addTallies, noTally, writeTally } from './tally.ts';

/** A test file: the key of its cell counts, and the names of its tests. */
interface About {
  readonly file: string;
  readonly cells: Cells;
  readonly part: Part;
  readonly title: string;
}

/** Scenarios and the function that runs one. */
interface Rows {
  readonly scenarios: readonly Scenario[];
  readonly run: (scenario: Scenario) => Promise<Report>;
}

/**
 * Defines one test per scenario, which expects the number of cells in cells.ts and no fault in any. The counts are saved for the end
 * of the run. A scenario without a report, because it failed or timed out, counts as a wrong answer.
 */
export function testMatrix({ file, cells, part, title }: About, rows: readonly Rows[]): void {
  let tally = noTally;
  const unreported = new Set<string>();
  afterAll(() => writeTally(file, addTallies(tally, { ...noTally, wrong: unreported.size })));
  const all = rows.flatMap(({ scenarios, run }) =>
    scenarios.map((scenario) => ({ name: scenario.name, scenario, run })),
  );
  const expected = Object.entries(cells).filter(([, { [part]: count }]) => count !== undefined);

  test('every scenario has one test', () => {
    expect(all.map(({ name }) => name)).toEqual(expected.map(([name]) => name));
  });
  test.each(all)(
    `${title}: $name`,
    async ({ name, scenario, run }) => {
      unreported.add(name);
      const report = await run(scenario);
      unreported.delete(name);
      const { leaks, surprises } = report;
      tally = addTallies(tally, { cells: report.cells, leaks: leaks.length, wrong: surprises.length });
      expect(report).toEqual({ cells: cells[name]?.[part], leaks: [], surprises: [] });
    },
    600_000,
  );
}
