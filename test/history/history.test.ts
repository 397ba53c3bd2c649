import { describe, expect, test } from 'vitest';
import { replay } from './replay.ts';
import { scenarios, themes } from './reports.ts';
import { testScenarios } from './run-scenarios.ts';
import { shortName } from './scenario.ts';

const { restarts: _, ...others } = themes;

describe.each(Object.entries(others))('%s', (_, reports) => testScenarios(reports));

test('a seed repeats the order of simultaneous requests, and another one changes it', async () => {
  const race = scenarios.filter((one) => shortName(one) === 'azure-container-networking#3297');
  const orderOf = async (seed: number) => {
    const lines: string[] = [];
    for (const one of race) await replay(one, seed, (line) => lines.push(line.replace(/ [0-9a-f-]{36}/, '')));
    return lines.slice(1);
  };
  const order = await orderOf(3);
  expect(await orderOf(3)).toEqual(order);
  expect(await orderOf(4)).not.toEqual(order);
});

test('each report has a name of its own', () => {
  const names = scenarios.map(shortName);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
