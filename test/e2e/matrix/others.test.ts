import { otherCells } from './cells.ts';
import { hresults, invalidAnswers, lateEffects, missingAnswers, outages, pairs, plugin } from './effects.ts';
import { runMatrix } from './matrix.ts';
import type { Next, Scenario } from './scenario.ts';
import { checks, dels, dropInDels, gcs, statuses } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const effects = [
  ...hresults,
  ...missingAnswers,
  ...lateEffects,
  ...invalidAnswers,
  ...outages,
  ...pairs,
  ...plugin,
];

const then = (scenarios: readonly Scenario[], ...nexts: readonly Next[]) => ({
  scenarios,
  run: (scenario: Scenario) => runMatrix(scenario, [{ effects, nexts }]),
});

testMatrix(
  {
    file: import.meta.filename,
    cells: otherCells,
    part: 'others',
    title: 'every effect on every call and every run of the IPAM plugin',
  },
  [
    then(dels, 'DEL', 'GC'),
    then(dropInDels, 'DEL'),
    then(checks, 'DEL'),
    then(gcs, 'GC', 'DEL'),
    then(statuses, 'ADD'),
  ],
);
