import { restarts } from './restarts.ts';
import { testScenarios } from './run-scenarios.ts';

testScenarios(restarts);
