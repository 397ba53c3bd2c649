import { test } from 'vitest';
import { replay } from './replay.ts';
import { type Scenario, shortName } from './scenario.ts';

/** A test for each report, with all its seeds. */
export function testScenarios(scenarios: readonly Scenario[]): void {
  test.each(scenarios.map((one) => [shortName(one), one] as const))('%s', async (_, scenario) => {
    for (let seed = 1; seed <= (scenario.seeds ?? 1); seed += 1) await replay(scenario, seed);
  });
}
