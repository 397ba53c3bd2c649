import { expect, test } from 'vitest';
import { dnsText, policyText, settingItems } from '../../../../src/cli/inventory/policy-text.ts';
import type { Policy } from '../../../../src/hcn/documents.ts';

test.each<[string, Policy['Settings'], string]>([
  ['PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 }, 'tcp 8080 -> 80 (node)'],
  [
    'portmapping',
    { Protocol: 'UDP', InternalPort: '53', ExternalPort: '54', VIP: 'fd00::4', Flags: 7 },
    'udp [fd00::4]:54 -> 53, also from the node itself, flags 7',
  ],
  ['PortMapping', { Flags: 3 }, 'any protocol ? -> ? (node), also from the node itself'],
  ['OutBoundNAT', undefined, 'leaves as a node address'],
  [
    'OutBoundNAT',
    {
      VirtualIP: '10.0.0.4',
      Destinations: ['10.9.0.0/16'],
      Exceptions: ['10.244.0.0/16', '10.96.0.0/12'],
      Flags: 1,
      Note: 'mine',
    },
    'leaves as 10.0.0.4, only to 10.9.0.0/16, except to 10.244.0.0/16, 10.96.0.0/12, also from the node itself Note=mine',
  ],
  ['SDNRoute', { DestinationPrefix: '10.96.0.0/12' }, '10.96.0.0/12, not encapsulated'],
  [
    'SDNRoute',
    { DestinationPrefix: '10.0.0.4/32', NextHop: '10.244.1.1', NeedEncap: true },
    '10.0.0.4/32 via 10.244.1.1, encapsulated',
  ],
  ['QOS', { MaximumOutgoingBandwidthInBytes: 12345 }, 'sends at most 0.09876 Mbit/s'],
  ['QOS', { MaximumOutgoingBandwidthInBytes: 0 }, 'no limit'],
  [
    'RemoteSubnetRoute',
    { DestinationPrefix: '10.244.2.0/24', IsolationId: 4096, ProviderAddress: '10.0.0.5' },
    '10.244.2.0/24 on node 10.0.0.5 IsolationId=4096',
  ],
  [
    'Future',
    { Mode: 'fast', Sizes: [5, '6'], PresharedKey: 'open sesame', More: { Key: 'open sesame' } },
    'Mode=fast Sizes=5,6 PresharedKey=(secret) More={"Key":"(secret)"}',
  ],
  ['Future', undefined, 'no settings'],
])('%s %j in words', (Type, Settings, text) => {
  expect(policyText({ Type, ...(Settings !== undefined && { Settings }) })).toBe(text);
});

test('the items of a policy for a comparison', () => {
  expect(
    settingItems({ Type: 'X', Settings: { List: ['a', 'b'], Text: 'c,d', Flag: true, Key: 'e' } }),
  ).toEqual([
    ['List', 'a'],
    ['List', 'b'],
    ['Text', 'c'],
    ['Text', 'd'],
    ['Flag', 'true'],
    ['Key', '(secret)'],
  ]);
  expect(settingItems({ Type: 'L2Driver' })).toEqual([['', 'no settings']]);
});

test('DNS settings in one line', () => {
  const dns = {
    ServerList: ['10.0.0.10', '10.0.0.11'],
    Domain: 'example.org',
    Search: ['a', 'b'],
    Options: ['c'],
  };
  expect(dnsText(dns)).toBe('10.0.0.10, 10.0.0.11, domain example.org, search a b, options c');
  expect(dnsText({})).toBe('');
});
