import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { schemaVersion } from '../../../src/hcn/documents.ts';
import { encapOverhead, needsAdapters, resolveAdapterName } from '../../../src/plan/network-adapter.ts';
import { hostAdapters } from './host-adapters.ts';

const network = {
  Name: 'l2bridge',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  SchemaVersion: schemaVersion,
};
const config = readNetworkConfig({
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  mtu: 1400,
});

test('an MTU is refused if the adapter is unknown, with what HNS shows', () => {
  const refused = (Policies: (typeof network)['Policies']) => () =>
    encapOverhead(config, { ...network, Policies }, [
      { ...hostAdapters[0], mac: undefined },
      ...hostAdapters.slice(1),
    ]);
  const message = '/mtu is 1400, but the MTU of the adapter of network "l2bridge" is unknown';
  expect(refused([])).toThrow(
    expect.objectContaining({
      code: 7,
      message,
      details: 'according to HNS, the network is bound to no adapter; set "adapter"',
    }),
  );
  expect(refused(network.Policies)).toThrow(
    expect.objectContaining({
      code: 7,
      message,
      details: 'according to HNS, the network is bound to Ethernet; set "adapter"',
    }),
  );
  const withoutMac = { ...hostAdapters[0], mac: undefined };
  expect(() => encapOverhead(config, network, [withoutMac, { ...withoutMac, alias: 'Other' }])).toThrow(
    message,
  );
});

test.each([
  ['L2Bridge', 1500, 0],
  ['L2Bridge', 1501, '/mtu is 1501, but adapter Ethernet allows at most 1500'],
  ['Overlay', 1450, 50],
  ['Overlay', 1451, '/mtu is 1451, but adapter Ethernet allows at most 1450'],
  ['L2Bridge', undefined, undefined],
] as const)('the encapsulation of %s with MTU %s has this overhead: %s', (networkType, mtu, expected) => {
  const unbound = { ...hostAdapters[0], mtu: 65535 };
  const overhead = () =>
    encapOverhead({ ...config, networkType, mtu }, network, [unbound, ...hostAdapters.slice(1)]);
  if (typeof expected === 'string') expect(overhead).toThrow(expected);
  else expect(overhead()).toBe(expected);
});

describe("the host's adapters", () => {
  const plain = { ...config, mtu: undefined };

  test.each([
    ['to compare the adapter of a switch', { ...plain, adapter: 'vethernet (Ethernet)' }, network, true],
    ['for an MTU', config, network, true],
    ['for a host endpoint', { ...plain, hostEndpoint: { address: undefined } }, network, true],
    ['not for a type without an adapter', { ...config, networkType: 'NAT' }, undefined, false],
    ['not for the adapter of the network', { ...plain, adapter: 'ETHERNET' }, network, false],
    ['to compare an index', { ...plain, adapter: '7' }, network, true],
    ['not if a policy names one', { ...plain, networkPolicies: network.Policies }, undefined, false],
    ['not for an interface name', { ...plain, adapter: 'Wi-Fi' }, network, false],
    ['to choose one', plain, undefined, true],
  ] as const)('are needed %s', (_, given, observed, expected) => {
    expect(needsAdapters(given, observed)).toBe(expected);
  });
});

describe('the adapter of a network', () => {
  const plain = { ...config, mtu: undefined };

  test.each([
    ['a known name in its own case', { adapter: 'ETHERNET' }, undefined, 'Ethernet'],
    ['an unknown name as it is', { adapter: 'Wi-Fi' }, undefined, 'Wi-Fi'],
    ['the one with the default route', {}, undefined, 'Ethernet'],
    ['none for a type without one', { networkType: 'NAT', adapter: 'Ethernet' }, undefined, undefined],
    ['none beside a policy that names one', { networkPolicies: network.Policies }, undefined, undefined],
    ['that of the network if none is given', {}, network, 'Ethernet'],
    ['the given name on another network', { adapter: 'Ethernet 2' }, network, 'Ethernet 2'],
    ['the one with an address', { adapter: '172.16.0.4' }, network, 'Ethernet 2'],
    ['that of the network without a match', { adapter: '172.16.9.9' }, network, 'Ethernet'],
  ] as const)('is %s', (_, changes, observed, expected) => {
    expect(resolveAdapterName({ ...plain, ...changes }, observed, hostAdapters)).toBe(expected);
  });
});
