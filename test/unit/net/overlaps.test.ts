import { expect, test } from 'vitest';
import { earlierOverlaps, overlapGroups } from '../../../src/net/overlaps.ts';

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

test('each subnet overlaps the first earlier one, and not every one of its group', () => {
  const subnets = ['10.1.2.0/24', '10.1.3.0/24', '10.1.0.9/16', '10.1.3.0/25', '10.2.0.0/16'];
  expect([...earlierOverlaps(subnets)].toSorted()).toEqual([
    [2, '10.1.2.0/24'],
    [3, '10.1.3.0/24'],
  ]);
});
