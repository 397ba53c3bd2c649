import { expect, test } from 'vitest';
import { runStorm } from '../storm/run-storm.ts';

test('a storm finds nothing in calm weather, where nothing excuses a failure', async () => {
  const climate = { name: 'calm' };
  const options = { seed: 4, milliseconds: 60_000, rounds: 2, climate, inProcess: true } as const;
  expect((await runStorm(options)).found.flatMap(({ problems }) => problems)).toEqual([]);
});
