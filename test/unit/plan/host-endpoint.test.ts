import { describe, expect, test } from 'vitest';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import {
  checkHostEndpoint,
  findHostInterface,
  findUplink,
  forwardingInterfaces,
  hostEndpointDocument,
} from '../../../src/plan/host-endpoint.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';
import { hostEndpointInterface as host, hostAdapters } from './host-adapters.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = {
  ID: '22222222-2222-3333-4444-555555555555',
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [
    { Subnets: [{ IpAddressPrefix: 'fd00:2::/64' }, { IpAddressPrefix: '10.244.2.0/24' }] },
    { Subnets: [{ IpAddressPrefix: '10.244.3.0/26' }] },
  ],
  SchemaVersion,
};

describe("traffic is forwarded between the host endpoint's interface and the adapter's", () => {
  const [ethernet, second, virtual] = hostAdapters;
  const between = (adapters: readonly HostAdapter[], of: typeof network = network) => {
    const found = forwardingInterfaces(of, { address: '10.244.2.2', mac: host.mac }, adapters);
    return found && [found.host.alias, ...found.management.map(({ alias }) => alias)];
  };

  test('found by its default route if HNS names no adapter, and not the same interface', () => {
    const unbound = { ...network, Policies: [] };
    expect(between([ethernet, second, virtual, { ...host, gateways: ['10.244.2.1'] }], unbound)).toEqual([
      'vEthernet (cbr0_ep)',
      'vEthernet (Ethernet)',
    ]);
  });

  test('found by the address, whatever its alias, if HNS returns MAC address 0E-2A-0A-F4-02-02 and Windows undefined', () => {
    const other = { ...host, alias: 'vEthernet (Container NIC 1d2f)', mac: undefined };
    const adapters = [ethernet, virtual, other];
    expect(
      forwardingInterfaces(network, { address: '10.244.2.2', mac: '0E-2A-0A-F4-02-02' }, adapters)?.host,
    ).toBe(other);
  });
});

test('the interface of a host endpoint has its address, and its MAC address or else its alias', () => {
  const other = { ...host, alias: 'vEthernet (other)' };
  const withoutMac = { ...other, mac: undefined };
  const found = (mac: string | undefined, ...adapters: readonly HostAdapter[]) =>
    findHostInterface(network, { address: '10.244.2.2', mac }, adapters);
  expect(found(host.mac, withoutMac, other)).toBe(other);
  expect(found(undefined, withoutMac, host)).toBe(host);
  expect(found(undefined, ...hostAdapters, other)).toBe(other);
  expect(found('0E-2A-0A-F4-02-02', other)).toBeUndefined();
});

test('the host endpoint is on the first IPv4 subnet that contains its address, and has no length outside of all', () => {
  const Subnets = [{ IpAddressPrefix: '10.244.0.0/16' }, ...network.Ipams.flatMap((ipam) => ipam.Subnets)];
  const documentOf = (address: string) => hostEndpointDocument({ ...network, Ipams: [{ Subnets }] }, address);
  expect(documentOf('10.244.3.2')).toEqual({
    ID: '158d02ca-c981-5084-9be4-b53c3bb8f3bf',
    Name: 'cbr0_ep',
    HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
    IpConfigurations: [{ IpAddress: '10.244.3.2', PrefixLength: 16 }],
    Routes: [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }],
    SchemaVersion,
  });
  expect(documentOf('192.168.0.2').IpConfigurations).toEqual([{ IpAddress: '192.168.0.2' }]);
});

describe('a configured host endpoint', () => {
  const [, second] = hostAdapters;
  const with2 = (alias: string): HostAdapter => ({
    ...second,
    alias,
    addresses: [
      { address: '10.0.0.9', length: 24 },
      { address: '10.244.2.2', length: 24 },
    ],
  });
  const gateway = {
    ...network,
    Ipams: [
      {
        Subnets: [
          { IpAddressPrefix: '10.244.2.0/24' },
          {
            IpAddressPrefix: '10.244.3.0/26',
            Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
  };
  const check = (changes: object, of = network, adapters: readonly HostAdapter[] = hostAdapters) =>
    checkHostEndpoint(config(changes), of as typeof network, adapters);

  test('that exists, with a number is valid', () => {
    expect(() =>
      check({ hostEndpoint: {} }, network as typeof network, [with2('vEthernet (cbr0_ep) 2')]),
    ).not.toThrow();
  });

  test.each([
    [
      "with the network's gateway",
      { address: '10.244.3.1' },
      gateway,
      hostAdapters,
      "10.244.3.1 is the network's gateway, which HNS reserves",
    ],
    [
      'with an address of the interface of another endpoint',
      {},
      network,
      [with2('vEthernet (cbr0_ep2)')],
      '10.244.2.2 is already assigned to the node\'s adapter "vEthernet (cbr0_ep2)"',
    ],
  ])('%s is refused', (_, hostEndpoint, of, adapters, problem) => {
    expect(() => check({ hostEndpoint }, of as typeof network, adapters)).toThrow(
      expect.objectContaining({ code: 7, message: `/hostEndpoint: ${problem}` }),
    );
  });
});

describe('the uplink of a network', () => {
  const [ethernet, second, virtual] = hostAdapters;

  const withAddresses = (adapter: HostAdapter, ...addresses: readonly string[]): HostAdapter => ({
    ...adapter,
    addresses: addresses.map((address) => ({ address, length: 24 })),
  });

  test('is the first one with an address that other nodes can reach', () => {
    const waiting = withAddresses(ethernet, '169.254.7.7');
    const both = withAddresses(virtual, '169.254.7.7', '10.0.0.4');
    const unrelated = withAddresses(second, '172.16.0.4');
    expect(findUplink(network, [unrelated, waiting, both, virtual])).toBe(both);
    expect(findUplink(network, [unrelated, waiting])).toBeUndefined();
    const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'ETHERNET' } }];
    const withoutMac = [unrelated, ethernet].map((adapter) => ({ ...adapter, mac: undefined }));
    expect(findUplink({ ...network, Policies }, [...withoutMac, virtual])).toBe(virtual);
  });
});
