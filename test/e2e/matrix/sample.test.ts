import { expect, test } from 'vitest';
import { runCuts } from './cut.ts';
import { hresults, missingAnswers } from './effects.ts';
import { runMatrix } from './matrix.ts';
import { centralScenarios } from './scenarios.ts';

/** Fails and hangs each call, and cuts the command off at each: other files of this folder have all effects. */
const effects = [...hresults.slice(0, 1), ...missingAnswers.slice(0, 1)];

test.each(centralScenarios)(
  '$name leaves nothing if a call fails or hangs, or the process ends there',
  async (scenario) => {
    const faults = await runMatrix(scenario, [{ effects, nexts: ['DEL'] }]);
    const cuts = await runCuts(scenario, { nexts: ['DEL'] });
    expect(faults).toEqual({ cells: expect.any(Number), leaks: [], surprises: [] });
    expect(cuts).toEqual({ cells: expect.any(Number), leaks: [], surprises: [] });
    expect(faults.cells).toBeGreaterThanOrEqual(effects.length * (scenario.calls ?? 1));
    expect(cuts.cells).toBeGreaterThanOrEqual(scenario.calls ?? 1);
  },
  600_000,
);
