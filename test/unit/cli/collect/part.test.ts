import { expect, test } from 'vitest';
import { type Part, runParts } from '../../../../src/cli/collect/part.ts';

test('a part that throws, rejects or hangs is reported, and the next one runs', async () => {
  const files = [{ path: 'a.txt', text: 'a' }];
  const parts: Part[] = [
    {
      name: 'throws',
      seconds: 5,
      collect: () => {
        throw new Error('no folder');
      },
    },
    { name: 'rejects', seconds: 5, collect: () => Promise.reject(new Error('no file')) },
    { name: 'hangs', seconds: 7, collect: () => new Promise(() => undefined) },
    { name: 'works', seconds: 5, collect: async () => ({ files, problems: [] }) },
  ];
  const limits: number[] = [];
  const printed: string[] = [];
  let waiting = 0;
  const timer = (milliseconds: number, call: () => void) => {
    limits.push(milliseconds);
    waiting += 1;
    if (milliseconds === 7000) setImmediate(call);
    return {
      cancel: () => {
        waiting -= 1;
      },
    };
  };
  const writeStderr = (text: string) => void printed.push(text);
  expect(await runParts(parts, { timer, writeStderr })).toEqual({
    files,
    problems: ['throws: no folder', 'rejects: no file', 'hangs: timed out after 7 s'],
  });
  expect(printed.join('')).toBe(
    '[1/4] throws ... 0 files; no folder\n' +
      '[2/4] rejects ... 0 files; no file\n' +
      '[3/4] hangs ... 0 files; timed out after 7 s\n' +
      '[4/4] works ... 1 file\n',
  );
  expect({ limits, waiting }).toEqual({ limits: [5000, 5000, 7000, 5000], waiting: 1 });
});
