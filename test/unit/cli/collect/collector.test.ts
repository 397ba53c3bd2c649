import { expect, test } from 'vitest';
import {
  type Collected,
  type Collector,
  runCollectors,
  textFile,
} from '../../../../src/cli/collect/collector.ts';
import { system } from '../../../../src/system.ts';

/** Runs collectors with a stopped clock, and returns the lines on stderr. */
async function linesOf(
  collects: Readonly<Record<string, () => Promise<Collected>>>,
): Promise<readonly string[]> {
  let stderr = '';
  const collectors = Object.entries(collects).map(
    ([name, collect]): Collector => ({ name, about: '', seconds: 600, collect }),
  );
  await runCollectors(collectors, {
    timer: system.timer,
    now: () => 0,
    writeStderr: (text) => {
      stderr += text;
    },
  });
  return stderr.trimEnd().split('\n');
}

const down = () => Promise.reject(new Error('querying A: it is down'));
const files = [textFile('a', ''), textFile('b', '')];

test('each collector prints a line', async () => {
  expect(
    await linesOf({
      one: async () => ({ files: files.slice(0, 1) }),
      both: async () => ({ files }),
      none: async () => ({ files: [], absent: 'c not found' }),
      broken: down,
      half: async () => ({ files, problems: ['no c'] }),
      thrown: () => {
        throw new Error('no promise');
      },
    }),
  ).toEqual([
    '[1/6] one ... 1 file, 0.0 s',
    '[2/6] both ... 2 files, 0.0 s',
    '[3/6] none ... c not found, 0.0 s',
    '[4/6] broken ... failed, 0.0 s',
    '    querying A: it is down',
    '[5/6] half ... 2 files, incomplete, 0.0 s',
    '    no c',
    '[6/6] thrown ... failed, 0.0 s',
    '    no promise',
  ]);
});

test('a shared reason is printed once, except for a collector with files', async () => {
  expect(
    await linesOf({
      first: down,
      second: () => Promise.reject(new Error('querying B: it is down')),
      third: async () => ({ files, problems: ['querying C: it is down'] }),
    }),
  ).toEqual([
    '[1/3] first ... failed, 0.0 s',
    '    querying A: it is down',
    '[2/3] second ... failed, 0.0 s',
    '    same reason as first',
    '[3/3] third ... 2 files, incomplete, 0.0 s',
    '    querying C: it is down',
  ]);
});

test('ten of many problems are printed', async () => {
  const problems = Array.from({ length: 12 }, (_, index) => `endpoint ${index}`);
  expect(await linesOf({ many: async () => ({ files, problems }) })).toEqual([
    '[1/1] many ... 2 files, incomplete, 0.0 s',
    ...problems.slice(0, 10).map((problem) => `    ${problem}`),
    '    2 more',
  ]);
});
