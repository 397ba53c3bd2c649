import { usual } from './other-hns.ts';
import { distinctScenarios } from './scenarios.ts';
import { testFaults } from './test-matrix.ts';

const adds = distinctScenarios.filter(({ command }) => command === 'ADD');

testFaults(usual, adds, 'rotated');
