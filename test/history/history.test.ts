import { describe, expect, test } from 'vitest';
import { scenarios, themes } from './reports.ts';
import { testScenarios } from './run-scenarios.ts';
import { shortName } from './scenario.ts';

const { restarts: _, ...others } = themes;

describe.each(Object.entries(others))('%s', (_, reports) => testScenarios(reports));

test('each report has a name of its own', () => {
  const names = scenarios.map(shortName);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
