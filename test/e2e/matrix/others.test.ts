import { choosesIdsAndRefusesAttached, usual } from './other-hns.ts';
import { centralScenarios, distinctScenarios } from './scenarios.ts';
import { testFaults } from './test-matrix.ts';

const others = distinctScenarios.filter(({ command }) => command !== 'ADD');
const dels = centralScenarios.filter(({ command }) => command === 'DEL');

testFaults(usual, others, 'rotated');
testFaults(choosesIdsAndRefusesAttached, dels, 'rotated');
