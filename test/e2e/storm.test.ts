import { describe, expect, test } from 'vitest';
import type { ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import { type Found, runStorm } from '../storm/run-storm.ts';
import type { Plant } from '../storm/world.ts';

/** Runs calm rounds of a seed in this process, where nothing excuses a failure. */
async function found(plant: Plant, seed: number): Promise<readonly string[]> {
  const climate = { name: 'calm' };
  const options = { seed, milliseconds: 60_000, rounds: 2, climate, inProcess: true, plant } as const;
  const report = await runStorm(options);
  return report.found.flatMap(({ problems }: Found) => problems);
}

/** Runs seeds until one of them finds a problem that matches. Returns all problems. */
async function search(plant: Plant, problem: RegExp): Promise<readonly string[]> {
  const all: string[] = [];
  for (let seed = 1; seed <= 8 && !all.some((line) => problem.test(line)); seed += 1)
    all.push(...(await found(plant, seed)));
  return all;
}

const aResponse = { exitCode: 0, stdout: '', stderr: '' };

/** Changes the library of HCN. */
const withLibrary = (change: (library: ComputeNetworkLibrary) => ComputeNetworkLibrary): Plant => ({
  outside: ({ loadLibrary, ...outside }) => ({
    ...outside,
    ...(loadLibrary && { loadLibrary: async () => change(await loadLibrary()) }),
  }),
});
const done = { hresult: 0, value: undefined, errorRecord: undefined };

/** Changes the responses of one command. */
const answering = (command: string, change: (stdout: string) => object): Plant => ({
  response: (response, request) =>
    request.command === command && response.exitCode === 0
      ? { ...response, ...change(response.stdout) }
      : response,
});
const internalError = '{"cniVersion":"1.1.0","code":999,"msg":"internal error"}\n';

describe('a storm', () => {
  test('finds nothing in calm weather', async () => {
    expect(await found({}, 4)).toEqual([]);
  });

  test.each<[string, Plant, RegExp]>([
    [
      'an endpoint that DEL leaves',
      withLibrary((library) => ({ ...library, delete: async () => done })),
      /^endpoints r\dp\d_\w+(_eth0)?, \S+ was left: /,
    ],
    [
      'an internal error',
      answering('CHECK', () => ({ exitCode: 1, stdout: internalError })),
      /^CHECK of r\dp\d, in this process: returned 999: internal error$/,
    ],
    [
      'a stack trace of a command by hand',
      { printed: () => ({ ...aResponse, stderr: 'TypeError: x\n    at run (main.ts:1:2)' }) },
      /^win-hcn .*: printed "TypeError" in: /,
    ],
  ])('finds %s', async (_, plant, problem) => {
    expect(await search(plant, problem)).toContainEqual(expect.stringMatching(problem));
  });
});
