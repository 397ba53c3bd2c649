import { describe, expect, test } from 'vitest';
import {
  isSameOutboundNat,
  mergeOutboundNat,
  missingExceptions,
  subnetsWithoutException,
} from '../../../src/plan/outbound-nat.ts';

const nat = (Settings: object) => ({ Type: 'OutBoundNAT', Settings: { ...Settings } });
const other = { Type: 'L2Driver' };

test('policies without destinations are merged at the position of the first', () => {
  const policies = [
    other,
    nat({ VirtualIP: '10.0.0.4', Exceptions: ['10.244.1.0/24', '10.96.0.0/12'] }),
    other,
    nat({ VirtualIP: '10.0.0.4', Flags: 0, Exceptions: ['10.244.0.0/16', '10.0.0.9', '10.0.0.9'] }),
  ];
  expect(mergeOutboundNat(policies, [])).toEqual([
    other,
    nat({ VirtualIP: '10.0.0.4', Exceptions: ['10.96.0.0/12', '10.244.0.0/16', '10.0.0.9'] }),
    other,
  ]);
});

test('duplicate policies are merged', () => {
  const policy = nat({ Exceptions: ['10.0.0.0/8'] });
  expect(mergeOutboundNat([policy, policy], [])).toEqual([policy]);
});

test('policies without settings or with empty lists are merged into one without settings', () => {
  expect(
    mergeOutboundNat([{ Type: 'OutBoundNAT' }, nat({ Exceptions: [] }), nat({ Destinations: [] })], []),
  ).toEqual([nat({})]);
});

test('members with their default values are as good as absent ones', () => {
  const exceptions = { Exceptions: ['10.0.0.0/8'] };
  for (const defaults of [{ VirtualIP: '' }, { Flags: 0 }, { MaxPortPoolUsage: 0 }])
    expect(mergeOutboundNat([nat(exceptions), nat(defaults)], [])).toEqual([nat(exceptions)]);
});

test.each([
  ['another virtual address', { VirtualIP: '10.0.0.5' }],
  ['other flags', { Flags: 1 }],
  ['another port pool usage', { MaxPortPoolUsage: 64 }],
])('policies with %s are not merged', (_, settings) => {
  const policies = [nat({ Exceptions: ['10.0.0.0/8'] }), nat({ ...settings, Exceptions: ['10.0.0.0/8'] })];
  expect(mergeOutboundNat(policies, [])).toEqual(policies);
});

test('a policy without exceptions is not merged with one that has other flags', () => {
  const policies = [nat({}), nat({ Flags: 1, Exceptions: ['10.0.0.0/8'] })];
  expect(mergeOutboundNat(policies, [])).toEqual(policies);
});

test('a policy with destinations is not merged, but its lists are simplified', () => {
  const general = nat({ Exceptions: ['10.244.0.0/16'] });
  const destinations = ['10.96.0.1', '10.96.0.0/12', '10.96.0.0/12'];
  const narrow = nat({ Destinations: destinations, Exceptions: ['10.0.0.1/32', '10.0.0.1'] });
  expect(mergeOutboundNat([narrow, general, narrow], [])).toEqual([
    nat({ Destinations: ['10.96.0.0/12'], Exceptions: ['10.0.0.1/32'] }),
    general,
    nat({ Destinations: ['10.96.0.0/12'], Exceptions: ['10.0.0.1/32'] }),
  ]);
});

describe('lists of both families', () => {
  const both = ['10.96.0.0/12', 'fd00::/8'];

  test.each([
    ['exceptions', { Exceptions: both }, [{ Exceptions: ['10.96.0.0/12'] }, { Exceptions: ['fd00::/8'] }]],
    [
      'destinations',
      { Destinations: both, Exceptions: ['fd00::1'] },
      [{ Destinations: ['10.96.0.0/12'] }, { Destinations: ['fd00::/8'], Exceptions: ['fd00::1'] }],
    ],
    [
      'exceptions of a policy with a virtual address, reduced to its family',
      { VirtualIP: '10.0.0.4', Exceptions: both },
      [{ VirtualIP: '10.0.0.4', Exceptions: ['10.96.0.0/12'] }],
    ],
  ])('become one policy per family: %s', (_, given, expected) => {
    expect(mergeOutboundNat([nat(given)], [])).toEqual(expected.map(nat));
  });

  test.each([
    ['exceptions', { Exceptions: both }, [{ Exceptions: ['10.96.0.0/12'] }]],
    ['exceptions of the other family only', { Exceptions: ['fd00::/8'] }, [{}]],
    ['a virtual address of the other family', { VirtualIP: 'fd00::4', Exceptions: both }, []],
    ['destinations of the other family only', { Destinations: ['fd00::/8'] }, []],
    [
      'destinations of another family than the virtual address',
      { VirtualIP: '10.0.0.4', Destinations: ['fd00::/8'] },
      [],
    ],
  ])('are reduced to the family of a single-stack endpoint: %s', (_, given, expected) => {
    expect(mergeOutboundNat([nat(given)], ['IPv4'])).toEqual(expected.map(nat));
  });
});

test.each([
  ['IPv4', [{ Exceptions: ['10.96.0.0/12'] }]],
  ['IPv6', [{ Flags: 2, Exceptions: ['fd00::/8'] }]],
] as const)(
  'of two policies, one per family, a single-stack %s endpoint gets its own',
  (family, expected) => {
    const pair = [nat({ Exceptions: ['10.96.0.0/12'] }), nat({ Flags: 2, Exceptions: ['fd00::/8'] })];
    expect(mergeOutboundNat(pair, [family])).toEqual(expected.map(nat));
  },
);

test('one of several policies remains if all lose their exceptions', () => {
  const policies = [other, nat({ Exceptions: ['fd00::/8'] }), nat({ Flags: 2, Exceptions: ['fd00::/8'] })];
  expect(mergeOutboundNat(policies, ['IPv4'])).toEqual([other, nat({})]);
});

describe('returned policies', () => {
  const wanted = [nat({ Exceptions: ['10.96.0.0/12'] }), nat({ Exceptions: ['fd00::/8'] })];

  test.each([
    ['merged into one', true, [nat({ Exceptions: ['fd00::/8', '10.96.0.0/12'] })]],
    ['in another case', true, wanted.map((policy) => ({ ...policy, Type: 'OUTBOUNDNAT' }))],
    ['beside policies of other types', true, [{ Type: 'ACL', Settings: { Flags: 1 } }, ...wanted]],
    ['with a duplicate exception', true, [...wanted, nat({ Exceptions: ['fd00::/8'] })]],
    ['without one of them', false, wanted.slice(1)],
    ['with another exception', true, [...wanted, nat({ Exceptions: ['10.0.0.0/8'] })]],
    ['with a destination', false, [...wanted, nat({ Destinations: ['10.0.0.0/8'] })]],
    ['with another virtual address', false, [...wanted, nat({ VirtualIP: '10.0.0.4' })]],
  ])('%s: equivalent to the policies that were sent: %j', (_, expected, observed) => {
    expect(isSameOutboundNat(wanted, observed, ['IPv4', 'IPv6'])).toBe(expected);
  });

  test('with several virtual addresses are equivalent in any order', () => {
    const several = [nat({ VirtualIP: '10.0.0.4' }), nat({ VirtualIP: '10.0.0.5' })];
    expect(isSameOutboundNat(several, several.toReversed(), ['IPv4'])).toBe(true);
  });

  test('are equivalent even with exceptions of a family that the endpoint lacks, as earlier builds sent', () => {
    const observed = [nat({ Exceptions: ['10.96.0.0/12', 'fd00::/8'] })];
    expect(isSameOutboundNat(wanted.slice(0, 1), observed, ['IPv4'])).toBe(true);
  });
});

describe('returned policies may have more exceptions than were sent', () => {
  const wanted = [nat({ Exceptions: ['10.96.0.0/12', 'fd00::/8'] })];

  test.each([
    ['the same ones', [{ Exceptions: ['10.96.0.0/12'] }], true],
    ['another one', [{ Exceptions: ['10.96.0.0/12', '10.0.0.0/16'] }], true],
    ['a wider one', [{ Exceptions: ['10.0.0.0/8'] }], true],
    ['none', [{}], false],
    ['a part of one', [{ Exceptions: ['10.96.0.0/16'] }], false],
    [
      'the same ones only for some destinations',
      [{ Destinations: ['8.8.8.8'], Exceptions: ['10.96.0.0/12'] }, {}],
      false,
    ],
    ['a destination beside them', [{ Exceptions: ['10.96.0.0/12'] }, { Destinations: ['8.8.8.8'] }], false],
    [
      'a destination of another family beside them',
      [{ Exceptions: ['10.96.0.0/12'] }, { Destinations: ['fd00::8'] }],
      true,
    ],
  ])('with %s', (_, observed, expected) => {
    expect(isSameOutboundNat(wanted, observed.map(nat), ['IPv4'])).toBe(expected);
  });
});

test.each([
  ['nothing without policies', [], []],
  ['nothing with a policy for some destinations', [nat({ Destinations: ['8.8.8.8'] })], []],
  ['nothing with policies of other types', [{ Type: 'ACL', Settings: {} }], []],
  ['all subnets without exceptions', [{ Type: 'OUTBOUNDNAT' }], ['10.1.0.0/16', '10.2.0.0/16']],
  ['the subnets that lack an exception', [nat({ Exceptions: ['10.2.0.0/15'] })], ['10.1.0.0/16']],
  [
    'the subnets that only other policies except',
    [
      nat({ Destinations: ['8.8.8.8'], Exceptions: ['10.1.0.0/16'] }),
      { Type: 'L4Proxy', Settings: { Exceptions: ['10.2.0.0/16'] } },
      nat({}),
    ],
    ['10.1.0.0/16', '10.2.0.0/16'],
  ],
])('outbound NAT translates %s', (_, policies, subnets) => {
  expect(subnetsWithoutException(policies, ['10.1.0.0/16', '10.2.0.0/16'])).toEqual(subnets);
});

describe('a wanted exception is missing', () => {
  const exceptions = (Exceptions: readonly string[]) => [{ Type: 'OutBoundNAT', Settings: { Exceptions } }];
  test.each([
    ['unless one contains it', ['10.96.0.0/12'], ['10.0.0.0/8'], []],
    ['unless one is equal', ['fd00:96::/108', '10.96.0.7'], ['10.96.0.7/32', 'fd00:96::/108'], []],
    ['if one contains only a part', ['10.96.0.0/12'], ['10.96.0.0/16'], ['10.96.0.0/12']],
    [
      'if one is a part, beside others',
      ['10.96.0.0/12'],
      ['10.97.0.0/16', '192.168.0.0/16'],
      ['10.96.0.0/12'],
    ],
    ['if the others overlap', ['192.168.0.0/16'], ['10.0.0.0/8', '10.1.0.0/16'], ['192.168.0.0/16']],
    ['if only a part is an IPv6 exception', ['fd00::/16'], ['fd00:96::/108'], ['fd00::/16']],
    ['if the others have another family', ['fd00::/16'], ['0.0.0.0/0'], ['fd00::/16']],
  ])('%s', (_, wanted, present, missing) => {
    expect(missingExceptions(exceptions(wanted), exceptions(present))).toEqual(missing);
  });
});
