import { expect, test } from 'vitest';
import { isDropped } from '../../../../src/cli/trace/live.ts';

type Hop = Parameters<typeof isDropped>[0]['hops'][number];
const hop = (sent: number, drops: number): Hop => ({
  where: 'pod',
  component: 1,
  sent,
  replies: 0,
  drops: Array.from({ length: drops }, () => ({ packets: 1, reason: 'INET: no route' })),
});

test.each([
  ['none of the sender was seen', [hop(0, 0), hop(0, 0)], true],
  ['one packet of the sender was seen at one hop', [hop(0, 0), hop(1, 0)], false],
  ['one hop dropped packets', [hop(2, 0), hop(1, 1)], true],
])('packets are dropped if %s: %s', (_, hops, expected) => {
  expect(isDropped({ seconds: 10, hops })).toBe(expected);
});
