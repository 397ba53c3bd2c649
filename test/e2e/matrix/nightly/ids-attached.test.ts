import { choosesIdsAndRefusesAttached } from '../other-hns.ts';
import { adds, dels, dropInDels } from '../scenarios.ts';
import { testFaults, testKills } from '../test-matrix.ts';

testFaults(choosesIdsAndRefusesAttached, [...adds, ...dels, ...dropInDels], 'all');
testKills(choosesIdsAndRefusesAttached, [...adds, ...dels, ...dropInDels], 'all');
