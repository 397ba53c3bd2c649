import { hresults, missingAnswers, none } from '../effects.ts';
import { runKills } from '../kills.ts';
import { runMatrix } from '../matrix.ts';
import { on } from '../other-hns.ts';
import { isChange } from '../places.ts';
import { rows } from '../rows.ts';
import { centralScenarios } from '../scenarios.ts';
import { testEach } from '../test-matrix.ts';

const groups = [[none], hresults.slice(0, 1), missingAnswers.slice(0, 1)];

for (const row of rows) {
  const scenarios = on(row, centralScenarios);
  testEach(`no fault, and a change that is refused or hangs, ${row.name}`, scenarios, (scenario) =>
    runMatrix(scenario, { groups, cells: 'rotated', at: (place) => isChange(place) || place.ordinal === 1 }),
  );
  testEach(
    `a kill at each change ${row.name}`,
    scenarios.filter(({ command }) => command !== 'CHECK' && command !== 'STATUS'),
    (scenario) => runKills(scenario, 'cut', { cells: 'rotated', at: isChange }),
  );
}
