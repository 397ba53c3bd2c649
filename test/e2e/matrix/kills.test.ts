import { choosesIdsAndRefusesAttached, usual } from './other-hns.ts';
import { centralScenarios, distinctScenarios } from './scenarios.ts';
import { testKills } from './test-matrix.ts';

const withIpam = centralScenarios.filter(({ name }) => / with an IPAM plugin$/.test(name));

testKills(usual, distinctScenarios, 'rotated');
testKills(choosesIdsAndRefusesAttached, withIpam, 'rotated');
testKills(usual, withIpam, 'rotated', 'process');
