import { expect, test } from 'vitest';
import { selfTimes } from '../../bench/profile.ts';

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber, columnNumber: 0 },
});

const profile = {
  nodes: [
    node(1, '(program)'),
    node(2, 'run', 'win-hcn.cjs', 4),
    node(3, '', 'win-hcn.cjs', 9),
    node(4, 'run', 'win-hcn.cjs', 4),
    node(5, 'never sampled'),
  ],
  samples: [1, 2, 3, 4, 2],
  timeDeltas: [500, 1000, 250, 2000, -100],
};

test('the time of a function is that of its samples, from all callers, the longest first', () => {
  expect(selfTimes(profile, () => undefined)).toEqual([
    { name: 'run', place: 'win-hcn.cjs:5', milliseconds: 3 },
    { name: '(program)', place: '', milliseconds: 0.5 },
    { name: '(anonymous)', place: 'win-hcn.cjs:10', milliseconds: 0.25 },
  ]);
});

test('a located function has the place of its source', () => {
  const locate = ({ lineNumber }: { readonly lineNumber: number }) =>
    lineNumber === 9 ? 'src/main.ts:3' : undefined;
  expect(selfTimes(profile, locate)).toContainEqual({
    name: '(anonymous)',
    place: 'src/main.ts:3',
    milliseconds: 0.25,
  });
});
