import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { runBundle } from './process.ts';

let hns: Hns;
let folder: string;
beforeEach(async () => {
  hns = await startHns();
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-log-processes-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await hns.stop();
});

const limit = 10 * 1024 * 1024;
const count = 12;

/** The lines of all files, without the zeros that a full file begins with. */
const lines = () =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').replace(/^\0+/, '').trimEnd().split('\n'))
    .filter((line) => line !== '')
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));

/** DELs at once, each a process of its own. */
const requests = () =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      runBundle(
        {
          ...hns.environment,
          CNI_COMMAND: 'DEL',
          CNI_CONTAINERID: `pod${index}`,
          CNI_IFNAME: 'eth0',
        },
        JSON.stringify(example('l2bridge', { logFile: join(folder, 'win-hcn.log') })),
      ),
    ),
  );

test.each([
  ['that is full', limit, 1],
  ['that may be full after some of them', limit - 5_000, 0],
])(
  'concurrent processes with a log file %s write every line whole, and rotate it',
  async (_, size, least) => {
    const older = [1, 2, 3, 4].map((day) => `win-hcn-2026110${day}T000000000Z.log`);
    for (const name of ['win-hcn.log', ...older]) writeFileSync(join(folder, name), '');
    truncateSync(join(folder, 'win-hcn.log'), size);
    expect(await requests()).toEqual(Array(count).fill(expect.objectContaining({ exitCode: 0 })));
    const answers = lines().filter(({ event }) => event === 'answer');
    expect(answers).toEqual(Array(count).fill(expect.objectContaining({ code: 0 })));
    expect(new Set(answers.map(({ request }) => request)).size).toBe(count);
    const names = readdirSync(folder).toSorted();
    const rotated = names.filter((name) => name !== 'win-hcn.log' && !older.includes(name));
    expect(names).toEqual([...older.slice(rotated.length), ...rotated, 'win-hcn.log']);
    expect(rotated.length).toBeGreaterThanOrEqual(least);
  },
);
