import { expect, test } from 'vitest';
import { mergeOutboundNat } from '../../../src/plan/outbound-nat.ts';

const nat = (Settings: object) => ({ Type: 'OutBoundNAT', Settings: { ...Settings } });
const other = { Type: 'L2Driver' };

test('policies without destinations become one, at the place of the first', () => {
  const policies = [
    other,
    nat({ VirtualIP: '10.0.0.4', Exceptions: ['10.244.1.0/24', '10.96.0.0/12'] }),
    other,
    nat({ VirtualIP: '10.0.0.4', Flags: 0, Exceptions: ['10.244.0.0/16', '10.0.0.9', '10.0.0.9'] }),
  ];
  expect(mergeOutboundNat(policies)).toEqual([
    other,
    nat({ VirtualIP: '10.0.0.4', Exceptions: ['10.96.0.0/12', '10.244.0.0/16', '10.0.0.9'] }),
    other,
  ]);
});

test('the same policy twice is there once', () => {
  const policy = nat({ Exceptions: ['10.0.0.0/8'] });
  expect(mergeOutboundNat([policy, policy])).toEqual([policy]);
});

test('policies without settings, or with empty lists, are one without settings', () => {
  expect(
    mergeOutboundNat([{ Type: 'OutBoundNAT' }, nat({ Exceptions: [] }), nat({ Destinations: [] })]),
  ).toEqual([nat({})]);
});

test.each([
  ['another address', { VirtualIP: '10.0.0.5' }],
  ['other flags', { Flags: 1 }],
  ['another share of the ports', { MaxPortPoolUsage: 64 }],
])('policies with %s stay apart', (_, settings) => {
  const policies = [nat({ Exceptions: ['10.0.0.0/8'] }), nat({ ...settings, Exceptions: ['10.0.0.0/8'] })];
  expect(mergeOutboundNat(policies)).toEqual(policies);
});

test('a policy with destinations stays by itself, with its own lists simplified', () => {
  const general = nat({ Exceptions: ['10.244.0.0/16'] });
  const destinations = ['10.96.0.1', '10.96.0.0/12', '10.96.0.0/12', 'fd00::/8', '::/0'];
  const narrow = nat({ Destinations: destinations, Exceptions: ['10.0.0.1/32', '10.0.0.1'] });
  expect(mergeOutboundNat([narrow, general, narrow])).toEqual([
    nat({ Destinations: ['10.96.0.0/12', '::/0'], Exceptions: ['10.0.0.1/32'] }),
    general,
    nat({ Destinations: ['10.96.0.0/12', '::/0'], Exceptions: ['10.0.0.1/32'] }),
  ]);
});
