import { expect, test } from 'vitest';
import { earlierOverlaps, overlapGroups, withoutCovered } from '../../../src/net/overlaps.ts';
import { parsePrefix } from '../../../src/net/prefix.ts';

const groups = (...subnets: readonly string[]) =>
  overlapGroups(subnets.map((subnet) => ({ subnet }))).map((group) => group.map(({ subnet }) => subnet));

test('host bits do not separate subnets that overlap', () => {
  expect(groups('10.1.0.9/24', '10.1.0.0/25')).toEqual([['10.1.0.9/24', '10.1.0.0/25']]);
});

test('invalid subnets and default routes are in no group', () => {
  expect(groups('10.1.0.0', '0.0.0.0/0', '::/0', '10.1.0.0/33')).toEqual([]);
});

test.each([
  [['10.0.0.0/8', 'a00:8000::/32', '10.1.0.0/16'], [[2, 0]]],
  [['10.0.0.0/16', '10.0.0.0/8', '9.0.0.0/8'], [[1, 0]]],
])('of %j, each prefix overlaps the first earlier one', (prefixes, expected) => {
  const overlapped = [...earlierOverlaps(prefixes.map(parsePrefix))];
  expect(overlapped.toSorted(([one], [other]) => one - other)).toEqual(expected);
});

test.each([
  [['10.1.0.0/16'], ['10.1.2.0/24', '10.1.0.0/17'], ['10.1.0.0/16']],
  [['10.1.2.0/24', '10.1.2.3'], [], ['10.1.2.0/24', '10.1.2.3']],
  [['10.1.2.0/24', '10.1.2.3'], ['10.1.0.0/16'], []],
])('%j without those that %j cover is %j', (prefixes, others, expected) => {
  expect(withoutCovered(prefixes, others)).toEqual(expected);
});
