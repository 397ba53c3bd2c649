import { describe, expect, test } from 'vitest';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { forwardingInterfaces, hostEndpointDocument } from '../../../src/plan/host-endpoint.ts';
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
      SchemaVersion,
    });
  });
});

describe("traffic is forwarded between the host endpoint's interface and the adapter's", () => {
  const [ethernet, second, virtual] = hostAdapters;
  const between = (adapters: readonly HostAdapter[], of: typeof network = network) => {
    const found = forwardingInterfaces(of, '10.244.2.2', adapters);
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
    ['the host endpoint has no interface', [ethernet, virtual]],
    ["the host endpoint's interface has no address", [ethernet, virtual, { ...host, addresses: [] }]],
    ["the adapter's interface has no IPv4 address", [ethernet, { ...virtual, addresses: [] }, host]],
    [
      "the adapter's interface has only an IPv6 address",
      [ethernet, { ...virtual, addresses: [{ address: 'fe80::1', length: 64 }] }, host],
    ],
    [
      'the address is on the interface of another endpoint',
      [ethernet, virtual, { ...host, alias: 'vEthernet (cbr0_ep2)' }],
    ],
  ])('but not while %s', (_, adapters) => {
    expect(between(adapters)).toBeUndefined();
  });
});
