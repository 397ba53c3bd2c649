import { describe, expect, test } from 'vitest';
import { groups } from './effects.ts';
import { type KillBy, runKills } from './kills.ts';
import { type Report, runMatrix } from './matrix.ts';
import { type Behavior, on } from './other-hns.ts';
import type { Scenario } from './scenario.ts';

type Cells = 'all' | 'rotated';

/** Defines a test for each scenario: each effect on each call leaves nothing, and the response is right. */
export function testFaults(behavior: Behavior, scenarios: readonly Scenario[], cells: Cells): void {
  testEach(`a fault in each call ${behavior.name}`, on(behavior, scenarios), (scenario) =>
    runMatrix(scenario, { groups, cells }),
  );
}

/** Defines a test for each scenario: its end at each moment leaves nothing after the next command. */
export function testKills(
  behavior: Behavior,
  scenarios: readonly Scenario[],
  cells: Cells,
  by: KillBy = 'cut',
): void {
  testEach(`a kill at each moment ${behavior.name}`, on(behavior, scenarios), (scenario) =>
    runKills(scenario, by, { cells }),
  );
}

/** Each call of a scenario has at least one cell. */
export function testEach(
  title: string,
  scenarios: readonly Scenario[],
  run: (scenario: Scenario) => Promise<Report>,
): void {
  describe(title, () => {
    test.each(scenarios)(
      'leaves nothing after $name',
      async (scenario) => {
        const { cells, findings } = await run(scenario);
        expect(findings).toEqual([]);
        expect(cells).toBeGreaterThanOrEqual(scenario.calls ?? 1);
      },
      1_800_000,
    );
  });
}
