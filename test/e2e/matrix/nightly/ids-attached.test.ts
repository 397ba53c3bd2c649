import { choosesIds, choosesIdsAndRefusesAttached, refusesAttached } from '../other-hns.ts';
import { adds, dels, dropInDels } from '../scenarios.ts';
import { testFaults, testKills } from '../test-matrix.ts';

const scenarios = [...adds, ...dels, ...dropInDels];

for (const behavior of [choosesIds, refusesAttached, choosesIdsAndRefusesAttached]) {
  testFaults(behavior, scenarios, 'all');
  testKills(behavior, scenarios, 'all');
}
