import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { schemaVersion } from '../../../src/hcn/documents.ts';
import {
  encapOverhead,
  interruptionWarning,
  isExternal,
  needsAdapters,
  resolveAdapterName,
} from '../../../src/plan/network-adapter.ts';
import { networkArgument } from '../../../src/plan/network-name.ts';
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

/** The overhead with the MTU of the physical adapter and of the virtual switch's adapter above it. */
function overheadWith(mtu: number, virtual: number): number | undefined {
  const mtus: Readonly<Record<string, number>> = { Ethernet: mtu, 'vEthernet (Ethernet)': virtual };
  const adapters = hostAdapters.map((adapter) => ({ ...adapter, mtu: mtus[adapter.alias] ?? 9000 }));
  return encapOverhead(config, network, adapters);
}

test.each([
  [65535, 1500, 100],
  [4294967295, 1500, 100],
  [1450, 65535, 50],
  [1450, 1500, 50],
  [1401, 65534, 1],
  [65534, 1400, 64134],
  [1400, 65535, 0],
])('a reported MTU of 65535 or more is ignored: physical %d, virtual %d', (physical, virtual, overhead) => {
  expect(overheadWith(physical, virtual)).toBe(overhead);
});

test.each([65535, 4294967295])('an MTU is refused if both adapters report %d', (mtu) => {
  expect(() => overheadWith(mtu, mtu)).toThrow(
    '/mtu is 1400, but the MTU of the adapter of network "l2bridge" is unknown',
  );
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
  ['L2Bridge', 1501, undefined],
  ['Overlay', 1450, 50],
  ['Overlay', 1451, undefined],
] as const)(
  'on %s, an MTU of %d has the overhead %j on an adapter with 1500',
  (networkType, mtu, overhead) => {
    const overheadOf = () => encapOverhead({ ...config, networkType, mtu }, network, hostAdapters);
    if (overhead !== undefined) expect(overheadOf()).toBe(overhead);
    else expect(overheadOf).toThrow(`/mtu is ${mtu}, but adapter Ethernet allows at most ${mtu - 1}`);
  },
);

test('without an MTU there is no overhead', () => {
  expect(encapOverhead({ ...config, mtu: undefined }, { ...network, Policies: [] }, [])).toBeUndefined();
});

test('four types of networks are bound to an adapter, in any case', () => {
  const types = ['L2Bridge', 'l2tunnel', 'OVERLAY', 'Transparent'];
  expect([...types, 'NAT', 'ICS', 'Internal', 'Private', ''].filter(isExternal)).toEqual(types);
});

test.each([
  [network.Policies, 'adapter "Ethernet"'],
  [[], 'the adapter that HNS chooses'],
])('the creation of a network with %j interrupts %s', (Policies, adapter) => {
  expect(interruptionWarning({ ...network, Policies })).toBe(
    `creating network "l2bridge" interrupts ${adapter}, usually for 6 to 20 s: connections to the node through it, such as ` +
      'RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498)',
  );
});

describe("the host's adapters", () => {
  const plain = { ...config, mtu: undefined };
  const binding = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }];
  const hostEndpoint = { address: undefined };

  test.each([
    ['for the MTU', config, network, true],
    ['for a host endpoint', { ...plain, hostEndpoint }, network, true],
    ['to create a network', plain, undefined, true],
    ['to create a network with the name of an adapter', { ...plain, adapter: 'Ethernet' }, undefined, true],
    ['to compare an index', { ...plain, adapter: '7' }, network, true],
    ['to compare an address', { ...plain, adapter: '10.0.0.4' }, network, true],
    ['to compare a prefix', { ...plain, adapter: '10.0.0.0/24' }, network, true],
    ['to compare a MAC address', { ...plain, adapter: '00-15-5D-00-00-00' }, network, true],
    ['to compare the adapter of a switch', { ...plain, adapter: 'vethernet (Ethernet)' }, network, true],
    ['not for other types of networks', { ...config, networkType: 'NAT' }, undefined, false],
    [
      'not to create a network with a policy for its adapter',
      { ...plain, networkPolicies: binding },
      undefined,
      false,
    ],
    ['not for an existing network', plain, network, false],
    [
      'not for an existing network without a known adapter',
      { ...plain, adapter: '7' },
      { ...network, Policies: [] },
      false,
    ],
    ['not to compare a name', { ...plain, adapter: 'Ethernet 2' }, network, false],
    ['not to compare a name with digits', { ...plain, adapter: '7th' }, network, false],
    ['not to compare a name like a switch', { ...plain, adapter: 'My vEthernet (Ethernet)' }, network, false],
    [
      'not if the selector is its name',
      { ...plain, adapter: '7' },
      { ...network, Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: '7' } }] },
      false,
    ],
  ] as const)('are needed %s', (_, given, observed, expected) => {
    expect(needsAdapters(given, observed)).toBe(expected);
  });
});

describe('the adapter of a network', () => {
  const plain = { ...config, mtu: undefined };
  const on = (name: string) => ({
    ...network,
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: name } }],
  });

  test.each([
    ['unknown for other types', { networkType: 'NAT', adapter: 'Ethernet' }, undefined, undefined],
    ['left to a policy', { networkPolicies: on('Ethernet 2').Policies }, undefined, undefined],
    ['an unknown name, which HNS checks', { adapter: 'Ethernet 9' }, undefined, 'Ethernet 9'],
    ['a known name in its own case', { adapter: 'ETHERNET' }, undefined, 'Ethernet'],
    ['the configured name, to compare it', { adapter: 'ETHERNET' }, on('Ethernet 2'), 'ETHERNET'],
    ['that of an existing network without one in the configuration', {}, on('Ethernet 2'), 'Ethernet 2'],
    ['that of an existing network if the selector is its name', { adapter: '7' }, on('7'), '7'],
    ['the one that the selector finds', { adapter: '7' }, on('Ethernet'), 'Ethernet 2'],
    ['that of an existing network if the selector finds none', { adapter: '99' }, on('Ethernet'), 'Ethernet'],
    ['unknown as that of the existing network', { adapter: '7' }, { ...network, Policies: [] }, undefined],
  ] as const)('is %s', (_, changes, observed, expected) => {
    expect(resolveAdapterName({ ...plain, ...changes }, observed, hostAdapters)).toBe(expected);
  });
});

test.each([
  ['cbr0', 'cbr0'],
  ['a', 'a'],
  ['_a.b-c', '_a.b-c'],
  ['-a', 'ID'],
  ['.a', 'ID'],
  ['a b', 'ID'],
  ['vxlan0!', 'ID'],
  ['', 'ID'],
])('the network %j is the argument %s of a command', (Name, argument) => {
  expect(networkArgument({ ...network, Name })).toBe(argument);
  const ID = '22222222-2222-3333-4444-555555555555';
  expect(networkArgument({ ...network, Name, ID })).toBe(argument === 'ID' ? ID : argument);
});
