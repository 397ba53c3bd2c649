import { expect, test } from 'vitest';
import type { HostComputeNetwork } from '../../../src/hcn/documents.ts';
import {
  boundAdapter,
  boundHostAdapter,
  defaultGateway,
  familiesOf,
  prefixesOf,
  subnetsOf,
} from '../../../src/model/network-document.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';

const bare: HostComputeNetwork = { Name: 'a', SchemaVersion: { Major: 2, Minor: 0 } };
const adapter: HostAdapter = {
  index: 7,
  alias: 'Ethernet',
  description: 'NIC',
  mac: undefined,
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [],
  gateways: [],
  metric: 25,
};

test('the subnets of a network are those of all its Ipams, IPv4 first in its families', () => {
  const subnets = ['fd00::/64', '10.244.1.0/24', '10.244.2.0/24'].map((IpAddressPrefix) => ({
    IpAddressPrefix,
  }));
  const network = { ...bare, Ipams: [{ Subnets: subnets.slice(0, 1) }, {}, { Subnets: subnets.slice(1) }] };
  expect(subnetsOf(network)).toEqual(subnets);
  expect(familiesOf(network)).toEqual(['IPv4', 'IPv6']);
  expect(familiesOf({ ...bare, Ipams: [{ Subnets: subnets.slice(0, 1) }] })).toEqual(['IPv6']);
  expect(
    prefixesOf({
      ...bare,
      Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }, { IpAddressPrefix: '' }] }],
    }),
  ).toEqual([{ address: '10.244.1.0', length: 24 }]);
  expect([subnetsOf(bare), familiesOf(bare), prefixesOf(bare)]).toEqual([[], [], []]);
});

test('the default gateway is the next hop of the first default route, of a family if one is given', () => {
  const routes = [
    { DestinationPrefix: '10.96.0.0/12', NextHop: '10.244.1.9' },
    { DestinationPrefix: '::/0', NextHop: 'fd00::1' },
    { DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.1' },
    { DestinationPrefix: '0.0.0.0/0', NextHop: '10.244.1.2' },
  ];
  expect(defaultGateway(routes)).toBe('fd00::1');
  expect(defaultGateway(routes, 'IPv4')).toBe('10.244.1.1');
  expect(defaultGateway(routes, 'IPv6')).toBe('fd00::1');
  expect(defaultGateway(routes.slice(0, 1))).toBeUndefined();
});

test('the adapter of a network is found by its name in any case', () => {
  const on = (NetworkAdapterName: unknown) => ({
    ...bare,
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName } }],
  });
  const adapters = [{ ...adapter, alias: 'Other' }, adapter];
  expect(boundAdapter(on('ETHERNET'))).toBe('ETHERNET');
  expect(boundHostAdapter(on('ETHERNET'), adapters)).toBe(adapter);
  expect(boundHostAdapter(on('Ethernet'), [...adapters, { ...adapter }])).toBe(adapter);
  expect(boundHostAdapter(on('Ethernet 2'), adapters)).toBeUndefined();
  expect(boundHostAdapter(bare, adapters)).toBeUndefined();
  expect(boundAdapter(on('vEthernet (Ethernet)'))).toBe('Ethernet');
  expect(boundAdapter(on('{6252BE31-13AF-492C-B0CE-4FED3E16B231} a'))).not.toBeUndefined();
  for (const none of [
    7,
    '',
    '{6252BE31-13AF-492C-B0CE-4FED3E16B231}',
    '6252be31-13af-492c-b0ce-4fed3e16b231',
  ])
    expect(boundAdapter(on(none))).toBeUndefined();
});
