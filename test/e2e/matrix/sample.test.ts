import { hresults, missingAnswers } from './effects.ts';
import { runMatrix } from './matrix.ts';
import { usual } from './other-hns.ts';
import { centralScenarios } from './scenarios.ts';
import { testEach, testKills } from './test-matrix.ts';

/** Each call fails or hangs. The other files of this folder have all effects. */
const groups = [hresults.slice(0, 1), missingAnswers.slice(0, 1)];

testEach('a call that fails or hangs', centralScenarios, (scenario) =>
  runMatrix(scenario, { groups, cells: 'rotated' }),
);
testKills(usual, centralScenarios, 'rotated');
