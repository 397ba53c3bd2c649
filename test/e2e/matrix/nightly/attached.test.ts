import { refusesAttached } from '../other-hns.ts';
import { adds, dels, dropInDels } from '../scenarios.ts';
import { testFaults, testKills } from '../test-matrix.ts';

testFaults(refusesAttached, [...adds, ...dels, ...dropInDels], 'all');
testKills(refusesAttached, [...adds, ...dels, ...dropInDels], 'all');
