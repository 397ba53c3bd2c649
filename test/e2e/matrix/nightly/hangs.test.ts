import { hangsOnAttached } from '../other-hns.ts';
import { centralScenarios } from '../scenarios.ts';
import { testFaults } from '../test-matrix.ts';

testFaults(hangsOnAttached, centralScenarios, 'all');
