import { choosesIds } from '../other-hns.ts';
import { adds, dels, dropInDels } from '../scenarios.ts';
import { testFaults, testKills } from '../test-matrix.ts';

testFaults(choosesIds, [...adds, ...dels, ...dropInDels], 'all');
testKills(choosesIds, [...adds, ...dels, ...dropInDels], 'all');
