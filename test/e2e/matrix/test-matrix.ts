import { afterAll, expect, test } from 'vitest';
import type { Report } from './matrix.ts';
import type { Scenario } from './scenario.ts';
import { writeTally } from './tally.ts';

/** A part of the matrix: scenarios, and what runs one of them. */
interface Rows {
  readonly scenarios: readonly Scenario[];
  readonly run: (scenario: Scenario) => Promise<Report>;
}

/**
 * One test for each scenario, which has to find as many cells as `cells` says by its name, and nothing wrong in any. What they count is
 * kept for the end of the run.
 */
export function testMatrix(
  testFile: string,
  title: string,
  rows: readonly Rows[],
  cells: Readonly<Record<string, number>>,
): void {
  let tally = { cells: 0, leaks: 0 };
  afterAll(() => writeTally(testFile, tally));
  const all = rows.flatMap(({ scenarios, run }) =>
    scenarios.map((scenario) => ({ name: scenario.name, scenario, run })),
  );
  test('every scenario is here once', () => {
    expect(all.map(({ name }) => name)).toEqual(Object.keys(cells));
  });
  test.each(all)(
    `${title}: $name`,
    async ({ name, scenario, run }) => {
      const report = await run(scenario);
      tally = { cells: tally.cells + report.cells, leaks: tally.leaks + report.leaks.length };
      expect(report).toEqual({ cells: cells[name], leaks: [], surprises: [] });
    },
    600_000,
  );
}
