import { describe, expect, test } from 'vitest';
import { distinctSources, nodeAddressOn, sourceText } from '../../../../src/cli/traffic/sources.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { policy } from '../../../cluster/states.ts';

const network = (name?: string, Type = 'L2Bridge', provider?: string): ObservedNetwork => ({
  ID: 'n',
  Name: 'n',
  Type,
  Policies: [
    ...(name === undefined ? [] : [policy('NetAdapterName', { NetworkAdapterName: name })]),
    ...(provider === undefined ? [] : [policy('ProviderAddress', { ProviderAddress: provider })]),
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
});
const adapter = (alias: string, ...addresses: readonly string[]): HostAdapter => ({
  index: 5,
  alias,
  description: '',
  mac: '00-15-5D-00-00-00',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: addresses.map((address) => ({ address, length: 24 })),
  gateways: [],
  metric: 25,
});

describe("the node's address of each family is", () => {
  test.each<[string, ObservedNetwork | undefined, readonly HostAdapter[], string?, string?]>([
    ['unknown without a network', undefined, [adapter('Ethernet', '10.0.0.4')]],
    ['unknown if HCN names no adapter', network(), [adapter('Ethernet', '10.0.0.4')]],
    ['that of the adapter', network('Ethernet'), [adapter('ETHERNET', '10.0.0.4')], '10.0.0.4'],
    [
      "that of the virtual switch's adapter",
      network('ethernet'),
      [adapter('vEthernet (Ethernet)', '10.0.0.4', 'fd00::4')],
      '10.0.0.4',
      'fd00::4',
    ],
    ['unknown if another adapter has it', network('Ethernet 2'), [adapter('Ethernet', '10.0.0.4')]],
    [
      'no link-local address',
      network('Ethernet'),
      [adapter('Ethernet', 'fe80::1', 'febf::1', '169.254.1.1', 'fd00::fe80:1', '10.0.0.4')],
      '10.0.0.4',
      'fd00::fe80:1',
    ],
    ['not certain with two', network('Ethernet'), [adapter('Ethernet', '10.0.0.4', '10.0.0.5')]],
    [
      'the provider address of its family',
      network('Ethernet', 'Overlay', '10.0.0.9'),
      [adapter('Ethernet', '10.0.0.4', 'fd00::4')],
      '10.0.0.9',
      'fd00::4',
    ],
  ])('%s', (_, on, adapters, ipv4, ipv6) => {
    expect([nodeAddressOn(on, 'IPv4', adapters), nodeAddressOn(on, 'IPv6', adapters)]).toEqual([ipv4, ipv6]);
  });
});

test('the text of a source says which object has the address', () => {
  const sources = [
    { of: 'pod', addresses: ['10.244.1.2', '10.244.1.3'] },
    { of: 'node' },
    { of: 'node', addresses: ['10.0.0.4'] },
    { of: 'VirtualIP', addresses: ['10.0.0.9'] },
    { of: 'source VIP', addresses: ['10.0.0.8'] },
    { of: 'load balancer', addresses: ['10.96.0.10'] },
    { of: 'node' },
  ] as const;
  expect(distinctSources(sources).map(sourceText)).toEqual([
    '10.244.1.2 or 10.244.1.3 (pod address)',
    'a node address',
    '10.0.0.4 (node address)',
    '10.0.0.9 (VirtualIP)',
    '10.0.0.8 (source VIP)',
    '10.96.0.10 (load balancer address)',
  ]);
});
