import { describe, expect, test } from 'vitest';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import {
  checkHostEndpoint,
  findUplink,
  forwardingInterfaces,
  hostEndpointAddress,
  hostEndpointDocument,
  isUplink,
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

describe('the host endpoint', () => {
  test.each([
    ['10.244.2.2', 24],
    ['10.244.3.2', 26],
  ])("with address %s has its subnet's prefix length %d", (address, PrefixLength) => {
    expect(hostEndpointDocument(network, address)).toEqual({
      ID: '158d02ca-c981-5084-9be4-b53c3bb8f3bf',
      Name: 'cbr0_ep',
      HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
      IpConfigurations: [{ IpAddress: address, PrefixLength }],
      Routes: [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }],
      SchemaVersion,
    });
  });
});

describe("traffic is forwarded between the host endpoint's interface and the adapter's", () => {
  const [ethernet, second, virtual] = hostAdapters;
  const between = (adapters: readonly HostAdapter[], of: typeof network = network) => {
    const found = forwardingInterfaces(of, { address: '10.244.2.2', mac: host.mac }, adapters);
    return found && [found.host.alias, ...found.management.map(({ alias }) => alias)];
  };

  test('found by name', () => {
    const adapters = [ethernet, second, { ...virtual, mac: '00-15-5D-00-00-08' }, host];
    expect(between(adapters)).toEqual(['vEthernet (cbr0_ep)', 'vEthernet (Ethernet)']);
  });

  test('found by MAC address if the switch has another name', () => {
    const adapters = [ethernet, second, { ...virtual, alias: 'vEthernet (External)' }, host];
    expect(between(adapters)).toEqual(['vEthernet (cbr0_ep)', 'vEthernet (External)']);
  });

  test('found by its default route if HNS names no adapter', () => {
    const unbound = { ...network, Policies: [] };
    expect(between([ethernet, second, virtual, host], unbound)).toEqual([
      'vEthernet (cbr0_ep)',
      'vEthernet (Ethernet)',
    ]);
  });

  test('found by name with a number appended by Windows', () => {
    const numbered = { ...host, alias: 'vEthernet (cbr0_ep) 2' };
    expect(between([ethernet, virtual, numbered])).toEqual(['vEthernet (cbr0_ep) 2', 'vEthernet (Ethernet)']);
  });

  test.each([
    ['0E-2A-0A-F4-02-02', '0E-2A-0A-F4-02-02'],
    ['0e:2a:0a:f4:02:02', '0E-2A-0A-F4-02-02'],
    [undefined, '0E-2A-0A-F4-02-02'],
    ['', '0E-2A-0A-F4-02-02'],
    ['0E-2A-0A-F4-02-02', undefined],
  ])('found by the address, whatever its alias, if HNS returns MAC address %s and Windows %s', (own, mac) => {
    const other = { ...host, alias: 'vEthernet (Container NIC 1d2f)', mac };
    const adapters = [ethernet, virtual, other];
    expect(forwardingInterfaces(network, { address: '10.244.2.2', mac: own }, adapters)?.host).toBe(other);
  });

  test('found by both addresses before the alias', () => {
    const other = { ...host, alias: 'vEthernet (Container NIC 1d2f)' };
    const stale = { ...host, mac: '00-15-5D-00-00-0A' };
    expect(between([stale, virtual, other])).toEqual([
      'vEthernet (Container NIC 1d2f)',
      'vEthernet (Ethernet)',
    ]);
  });

  test.each([
    ['the host endpoint has no interface', [ethernet, virtual]],
    ["the host endpoint's interface has no address", [ethernet, virtual, { ...host, addresses: [] }]],
    ["the adapter's interface has no IPv4 address", [ethernet, { ...virtual, addresses: [] }, host]],
    [
      "the adapter's interface has only an IPv6 address",
      [ethernet, { ...virtual, addresses: [{ address: 'fe80::1', length: 64 }] }, host],
    ],
    [
      'the address is on the interface of another endpoint',
      [ethernet, virtual, { ...host, alias: 'vEthernet (cbr0_ep2)', mac: second.mac }],
    ],
  ])('but not while %s', (_, adapters) => {
    expect(between(adapters)).toBeUndefined();
  });
});

test('the host endpoint is on the first IPv4 subnet that contains its address, and has no length outside of all', () => {
  const Subnets = [{ IpAddressPrefix: '10.0.0.0/8' }, { IpAddressPrefix: '10.244.2.0/24' }];
  const lengthOf = (address: string) =>
    hostEndpointDocument({ ...network, Ipams: [{ Subnets }] }, address).IpConfigurations;
  expect(lengthOf('10.244.2.2')).toEqual([{ IpAddress: '10.244.2.2', PrefixLength: 8 }]);
  expect(lengthOf('192.168.0.2')).toEqual([{ IpAddress: '192.168.0.2' }]);
});

test.each([
  ['none without hostEndpoint', {}, network, undefined],
  ['the configured one', { hostEndpoint: { address: '10.244.3.9' } }, network, '10.244.3.9'],
  ['the second one of the first IPv4 subnet', { hostEndpoint: {} }, network, '10.244.2.2'],
  ['none without an IPv4 subnet', { hostEndpoint: {} }, { ...network, Ipams: [] }, undefined],
])('the address of the host endpoint is %s', (_, changes, of, address) => {
  expect(hostEndpointAddress(config(changes), of)).toBe(address);
});

describe('a configured host endpoint', () => {
  const [ethernet, second, virtual] = hostAdapters;
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

  test.each([
    ['that is absent', {}, { ...network, Ipams: [] }, hostAdapters],
    ['without an address', { hostEndpoint: {} }, network, hostAdapters],
    ['in a further subnet', { hostEndpoint: { address: '10.244.3.2' } }, network, hostAdapters],
    ['that exists', { hostEndpoint: {} }, network, [with2('VETHERNET (cbr0_ep)'), virtual]],
    ['that exists, with a number', { hostEndpoint: {} }, network, [with2('vEthernet (cbr0_ep) 2')]],
  ])('%s is valid', (_, changes, of, adapters) => {
    expect(() => check(changes, of as typeof network, adapters)).not.toThrow();
  });

  test.each([
    [
      'without an IPv4 subnet',
      {},
      { ...network, Ipams: [{ Subnets: [{ IpAddressPrefix: 'fd00::/64' }] }] },
      hostAdapters,
      'network "cbr0" has no IPv4 subnet',
    ],
    [
      'outside of the subnets',
      { address: '10.244.4.2' },
      network,
      hostAdapters,
      '10.244.4.2 is not a usable address in 10.244.2.0/24, 10.244.3.0/26',
    ],
    [
      'with a broadcast address',
      { address: '10.244.3.63' },
      network,
      hostAdapters,
      '10.244.3.63 is not a usable address in 10.244.2.0/24, 10.244.3.0/26',
    ],
    [
      "with the network's gateway",
      { address: '10.244.3.1' },
      gateway,
      hostAdapters,
      "10.244.3.1 is the network's gateway, which HNS reserves",
    ],
    [
      'with an address of another adapter',
      {},
      network,
      [ethernet, with2('LAN'), with2('LAN 2')],
      '10.244.2.2 is already assigned to the node\'s adapter "LAN"',
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
  const unbound = { ...network, Policies: [] };
  const withAddresses = (adapter: HostAdapter, ...addresses: readonly string[]): HostAdapter => ({
    ...adapter,
    addresses: addresses.map((address) => ({ address, length: 24 })),
  });

  test.each([
    ['the adapter itself', ethernet, network, true],
    ["the switch's adapter, by its MAC address", { ...virtual, alias: 'Management' }, network, true],
    [
      "the switch's adapter, by its name",
      { ...virtual, alias: 'VETHERNET (Ethernet)', mac: undefined },
      network,
      true,
    ],
    ['no other adapter', second, network, false],
    ['no adapter without a MAC address', { ...second, mac: undefined }, network, false],
    ['the adapter with the IPv4 default route if HNS names none', virtual, unbound, true],
    ['no adapter with an IPv6 default route only', { ...virtual, gateways: ['fe80::1'] }, unbound, false],
  ])('is %s', (_, adapter, of, expected) => {
    expect(isUplink(adapter, of, hostAdapters)).toBe(expected);
  });

  test('is not an adapter without a MAC address if that of the network has none either', () => {
    const bare = [{ ...ethernet, mac: undefined }];
    expect(isUplink({ ...second, mac: undefined }, network, bare)).toBe(false);
  });

  test('is the first one with an address that other nodes can reach', () => {
    const waiting = withAddresses(ethernet, '169.254.7.7');
    const both = withAddresses(virtual, '169.254.7.7', '10.0.0.4');
    const unrelated = withAddresses(second, '172.16.0.4');
    expect(findUplink(network, [unrelated, waiting, both, virtual])).toBe(both);
    expect(findUplink(network, [unrelated, waiting])).toBeUndefined();
  });
});

test('traffic is forwarded between the first interface of the host endpoint and all others with an address', () => {
  const [ethernet, , virtual] = hostAdapters;
  const uplink = { ...ethernet, addresses: [{ address: '10.0.0.5', length: 24 }] };
  const again = { ...host, alias: 'vEthernet (cbr0_ep) 2' };
  const named = { ...host, mac: ethernet.mac };
  expect(forwardingInterfaces(network, { address: '10.244.2.2' }, [uplink, virtual, host, again])).toEqual({
    host,
    management: [uplink, virtual],
  });
  expect(forwardingInterfaces(network, { address: '10.244.2.2' }, [ethernet, named])).toBeUndefined();
  const upper = { ...network, Name: 'CBR0' };
  expect(forwardingInterfaces(upper, { address: '10.244.2.2' }, [virtual, ethernet, host])?.host).toBe(host);
});
