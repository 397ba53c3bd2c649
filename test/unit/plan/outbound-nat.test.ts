import { describe, expect, test } from 'vitest';
import {
  isSameOutboundNat,
  mergeOutboundNat,
  subnetsWithoutException,
} from '../../../src/plan/outbound-nat.ts';

const nat = (Settings: object) => ({ Type: 'OutBoundNAT', Settings: { ...Settings } });
const other = { Type: 'L2Driver' };

test('policies without settings or with empty lists are merged into one without settings', () => {
  expect(
    mergeOutboundNat([{ Type: 'OutBoundNAT' }, nat({ Exceptions: [] }), nat({ Destinations: [] })], []),
  ).toEqual([nat({})]);
});

test('a policy without exceptions is not merged with one that has other flags', () => {
  const policies = [nat({}), nat({ Flags: 1, Exceptions: ['10.0.0.0/8'] })];
  expect(mergeOutboundNat(policies, [])).toEqual(policies);
});

describe('lists of both families', () => {
  test('are reduced to the family of a single-stack endpoint: destinations of the other family only', () => {
    expect(mergeOutboundNat([nat({ Destinations: ['fd00::/8'] })], ['IPv4'])).toEqual([].map(nat));
  });

  test('are dropped with a virtual address of the other family', () => {
    expect(mergeOutboundNat([nat({ VirtualIP: 'fd00::1' })], ['IPv4'])).toEqual([]);
  });
});

test('one of several policies remains if all lose their exceptions', () => {
  const policies = [other, nat({ Exceptions: ['fd00::/8'] }), nat({ Flags: 2, Exceptions: ['fd00::/8'] })];
  expect(mergeOutboundNat(policies, ['IPv4'])).toEqual([other, nat({})]);
});

test('policies may be returned in another order', () => {
  const policies = [nat({ Flags: 1 }), nat({ Flags: 2 })];
  expect(isSameOutboundNat(policies, policies.toReversed(), ['IPv4'])).toBe(true);
});

test('a policy that lost its exceptions is dropped beside one that translates everything', () => {
  const policies = [nat({ Exceptions: ['fd00::/8'] }), nat({ Flags: 2, Exceptions: ['10.0.0.0/8'] }), other];
  expect(mergeOutboundNat(policies, ['IPv4'])).toEqual([
    nat({ Flags: 2, Exceptions: ['10.0.0.0/8'] }),
    other,
  ]);
});

describe('returned policies may have more exceptions than were sent', () => {
  const wanted = [nat({ Exceptions: ['10.96.0.0/12', 'fd00::/8'] })];

  test.each([
    ['a wider one', [{ Exceptions: ['10.0.0.0/8'] }], true],
    ['a destination beside them', [{ Exceptions: ['10.96.0.0/12'] }, { Destinations: ['8.8.8.8'] }], false],
  ])('with %s', (_, observed, expected) => {
    expect(isSameOutboundNat(wanted, observed.map(nat), ['IPv4'])).toBe(expected);
  });
});

test('the exceptions of a policy with destinations are not those of others', () => {
  const narrow = nat({ Destinations: ['8.8.8.8'], Exceptions: ['10.2.0.0/16'] });
  const subnets = ['10.1.2.0/24', '10.2.0.0/16'];
  expect(subnetsWithoutException([narrow], subnets)).toEqual([]);
  expect(subnetsWithoutException([nat({ Exceptions: ['10.1.0.0/16'] }), narrow], subnets)).toEqual([
    '10.2.0.0/16',
  ]);
});

test('outbound NAT translates nothing with policies of other types', () => {
  expect(subnetsWithoutException([{ Type: 'ACL', Settings: {} }], ['10.1.0.0/16', '10.2.0.0/16'])).toEqual(
    [],
  );
});
