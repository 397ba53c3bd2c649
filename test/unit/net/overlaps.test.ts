import { expect, test } from 'vitest';
import {
  earlierOverlaps,
  overlapGroups,
  withoutContained,
  withoutCovered,
} from '../../../src/net/overlaps.ts';
import { parsePrefix } from '../../../src/net/prefix.ts';

const groups = (...subnets: readonly string[]) =>
  overlapGroups(subnets.map((subnet) => ({ subnet }))).map((group) => group.map(({ subnet }) => subnet));

test('subnets that overlap are in one group, wider ones first', () => {
  expect(
    groups('10.1.2.0/24', '10.2.0.0/16', 'fd00::/64', '10.1.0.0/16', '10.1.3.0/24', 'fd00::/48'),
  ).toEqual([['10.1.0.0/16', '10.1.2.0/24', '10.1.3.0/24'], ['10.2.0.0/16'], ['fd00::/48', 'fd00::/64']]);
});

test('host bits do not separate subnets that overlap', () => {
  expect(groups('10.1.0.9/24', '10.1.0.0/25')).toEqual([['10.1.0.9/24', '10.1.0.0/25']]);
});

test('invalid subnets and default routes are in no group', () => {
  expect(groups('10.1.0.0', '0.0.0.0/0', '::/0', '10.1.0.0/33')).toEqual([]);
});

test.each([
  [
    ['10.1.2.0/24', '10.1.3.0/24', '10.1.0.9/16', '10.1.3.0/25', '10.2.0.0/16'],
    [
      [2, 0],
      [3, 1],
    ],
  ],
  [
    ['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24', '11.0.0.0/8'],
    [
      [1, 0],
      [2, 0],
    ],
  ],
  [
    ['10.1.1.0/24', '10.1.0.0/16', '10.0.0.0/8', '10.1.1.1/32'],
    [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  ],
  [
    ['10.1.0.0/16', '10.2.0.0/16', '10.0.0.0/8', '10.2.2.0/24'],
    [
      [2, 0],
      [3, 1],
    ],
  ],
  [
    ['10.1.0.0/16', 'x', '10.1.0.9/16', '10.1.0.0/16'],
    [
      [2, 0],
      [3, 0],
    ],
  ],
  [['0.0.0.0/0', '::/0', '10.0.0.0/8'], [[2, 0]]],
  [['fd00::/64', '10.0.0.0/8'], []],
  [['10.0.0.0/8', 'a00:8000::/32', '10.1.0.0/16'], [[2, 0]]],
  [['10.0.0.0/16', '10.0.0.0/8', '9.0.0.0/8'], [[1, 0]]],
])('of %j, each prefix overlaps the first earlier one', (prefixes, expected) => {
  const overlapped = [...earlierOverlaps(prefixes.map(parsePrefix))];
  expect(overlapped.toSorted(([one], [other]) => one - other)).toEqual(expected);
});

test.each([
  [
    ['10.1.2.0/24', '10.1.0.0/16', '10.1.2.3', '10.2.0.0/16', '10.1.0.0/16'],
    ['10.1.0.0/16', '10.2.0.0/16'],
  ],
  [
    ['10.1.2.3', '10.1.2.3/32', 'fd00::1', 'fd00::/64'],
    ['10.1.2.3', 'fd00::/64'],
  ],
  [
    ['any', '10.1.2.3', 'any'],
    ['any', '10.1.2.3', 'any'],
  ],
])('%j without contained ones is %j', (prefixes, expected) => {
  expect(withoutContained(prefixes)).toEqual(expected);
});

test.each([
  [['10.1.2.0/24', '10.2.0.0/16'], ['10.1.0.0/16'], ['10.2.0.0/16']],
  [['10.1.0.0/16'], ['10.1.2.0/24', '10.1.0.0/17'], ['10.1.0.0/16']],
  [['10.1.2.3', '10.1.2.4'], ['10.1.2.3/32'], ['10.1.2.4']],
  [['10.1.2.0/24', '10.1.2.3'], [], ['10.1.2.0/24', '10.1.2.3']],
  [['10.1.2.0/24', '10.1.2.3'], ['10.1.0.0/16'], []],
  [['10.1.2.0/24', '10.1.2.3', '10.1.2.3'], ['10.1.2.3'], ['10.1.2.0/24']],
  [['any', 'all'], ['any', '10.0.0.0/8'], ['all']],
])('%j without those that %j cover is %j', (prefixes, others, expected) => {
  expect(withoutCovered(prefixes, others)).toEqual(expected);
});
