import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultBehavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { policiesAfterCreation, resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from './host-adapters.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const named = (NetworkAdapterName: string) => ({ Type: 'NetAdapterName', Settings: { NetworkAdapterName } });
const through = (NextHop: string, DestinationPrefix = '0.0.0.0/0') => [{ NextHop, DestinationPrefix }];
const ipams = (...Subnets: readonly object[]) => [{ Type: 'Static', Subnets }];

/** By example, for each one that creates a different network. */
const documents: Readonly<Record<string, object>> = {
  l2bridge: {
    Name: 'l2bridge',
    Type: 'L2Bridge',
    Policies: [named('Ethernet')],
    Ipams: ipams({ IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1') }),
    SchemaVersion,
  },
  'l2bridge-host-endpoint': {
    Name: 'cbr0',
    Type: 'L2Bridge',
    Policies: [named('Ethernet')],
    Ipams: ipams({ IpAddressPrefix: '10.244.2.0/24', Routes: through('10.244.2.1') }),
    SchemaVersion,
  },
  'static-routes': {
    Name: 'pods',
    Type: 'L2Bridge',
    Policies: [named('Ethernet')],
    Ipams: ipams({ IpAddressPrefix: '10.244.1.0/24', Routes: through('10.244.1.1') }),
    SchemaVersion,
  },
  'static-overlay': {
    Name: 'pods',
    Type: 'Overlay',
    Policies: [named('Ethernet')],
    Ipams: ipams({
      IpAddressPrefix: '10.244.1.0/24',
      Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
      Routes: through('10.244.1.1'),
    }),
    SchemaVersion,
  },
  l2tunnel: {
    Name: 'l2tunnel',
    Type: 'L2Tunnel',
    Policies: [named('Ethernet')],
    Ipams: ipams({ IpAddressPrefix: '10.0.0.0/16', Routes: through('10.0.0.1') }),
    Flags: 8,
    SchemaVersion,
  },
  overlay: {
    Name: 'overlay',
    Type: 'Overlay',
    Policies: [named('Ethernet')],
    Ipams: ipams({
      IpAddressPrefix: '10.245.1.0/24',
      Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
      Routes: through('10.245.1.1'),
    }),
    SchemaVersion,
  },
  transparent: {
    Name: 'transparent',
    Type: 'Transparent',
    Policies: [named('Ethernet 2')],
    MacPool: {
      Ranges: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }],
    },
    Ipams: ipams({
      IpAddressPrefix: '10.42.0.0/24',
      Policies: [{ Type: 'VLAN', Settings: { IsolationId: 42 } }],
      Routes: through('10.42.0.254'),
    }),
    SchemaVersion,
  },
  nat: {
    Name: 'nat',
    Type: 'NAT',
    Policies: [{ Type: 'AutomaticDNS', Settings: { Enable: true } }],
    Ipams: ipams({ IpAddressPrefix: '172.28.0.0/20', Routes: through('172.28.0.1') }),
    SchemaVersion,
  },
  ics: { Name: 'ics', Type: 'ICS', Flags: 1, SchemaVersion },
  internal: {
    Name: 'internal',
    Type: 'Internal',
    Ipams: ipams({ IpAddressPrefix: '192.168.100.0/24', Routes: through('192.168.100.1') }),
    SchemaVersion,
  },
  private: {
    Name: 'private',
    Type: 'Private',
    Ipams: ipams({ IpAddressPrefix: '192.168.200.0/24' }),
    SchemaVersion,
  },
  'dual-stack': {
    Name: 'dual-stack',
    Type: 'L2Bridge',
    Policies: [named('Ethernet')],
    Ipams: ipams(
      { IpAddressPrefix: '10.244.3.0/24', Routes: through('10.244.3.1') },
      { IpAddressPrefix: 'fd00:10:244:3::/64', Routes: through('fd00:10:244:3::1', '::/0') },
    ),
    SchemaVersion,
  },
  mtu: {
    Name: 'mtu',
    Type: 'L2Bridge',
    Policies: [named('Ethernet')],
    Ipams: ipams({ IpAddressPrefix: '10.244.7.0/24', Routes: through('10.244.7.1') }),
    SchemaVersion,
  },
};

test('every network type has an example', () => {
  const types = new Set(Object.values(documents).map((document) => Reflect.get(document, 'Type')));
  expect([...types].sort()).toEqual([
    'ICS',
    'Internal',
    'L2Bridge',
    'L2Tunnel',
    'NAT',
    'Overlay',
    'Private',
    'Transparent',
  ]);
});

test('HostRoute is added after the creation of the Overlay example, with its Settings', () => {
  const config = readNetworkConfig(example('overlay'));
  expect(policiesAfterCreation(config)).toEqual([{ Type: 'HostRoute', Settings: {} }]);
});

test.each([
  ["win-hcn's own configuration", defaultBehavior, [{ Type: 'HostRoute', Settings: {} }]],
  ["another plugin's configuration, whose plugin does not add it", dropInBehavior, []],
])('HostRoute is the default of an Overlay network with %s', (_, behavior, added) => {
  const config = { ...readNetworkConfig(example('overlay')), networkPolicies: [], behavior };
  expect(policiesAfterCreation(config)).toEqual(added);
  expect(policiesAfterCreation({ ...config, networkType: 'L2Bridge' })).toEqual([]);
});

test('HostRoute of the configuration is added as it is, instead of the default', () => {
  const given = { Type: 'HostRoute', Settings: { IsolationId: 7 } };
  const other = { Type: 'AutomaticDNS', Settings: { Enable: true } };
  const config = { ...readNetworkConfig(example('overlay')), networkPolicies: [other, given] };
  expect(policiesAfterCreation(config)).toEqual([given]);
  expect(resolveNetwork(config, undefined, hostAdapters).Policies).toEqual([named('Ethernet'), other]);
  expect(policiesAfterCreation({ ...config, networkType: 'L2Bridge' })).toEqual([given]);
});

test.each([
  ['EnableDnsProxy', 1],
  ['EnableDhcpServer', 2],
  ['EnableMirroring', 4],
  ['EnableNonPersistent', 8],
  ['EnablePersistent', 16],
  ['IsolateVSwitch', 32],
  ['EnableFlowSteering', 64],
  ['DisableSharing', 128],
  ['EnableFirewall', 256],
  ['SuppressMediaDisconnect', 512],
  ['DisableHostPort', 1024],
  ['WeakHostReceiveAdapter', 2048],
  ['WeakHostSendAdapter', 4096],
  ['EnableIov', 8192],
])('the flag %s is %d in the document of a network', (flag, number) => {
  const flagsOf = (...networkFlags: readonly string[]) =>
    resolveNetwork({ ...readNetworkConfig(example('ics')), networkFlags }, undefined).Flags;
  expect(flagsOf(flag)).toBe(number);
  expect(flagsOf('EnableIov', flag, 'EnableDnsProxy')).toBe(8193 | number);
  expect(flagsOf()).toBeUndefined();
});

describe.each(Object.entries(documents))('the network of conflist-examples/%s.conflist', (name, document) => {
  test('is created with this document', () => {
    const config = readNetworkConfig(example(name));
    const { ID: _, ...created } = resolveNetwork(config, undefined, hostAdapters);
    expect(created).toEqual(document);
  });
});

test('the other examples differ from these only in their endpoints', () => {
  const files = readdirSync('conflist-examples').map((file) => file.replace('.conflist', ''));
  expect(files.filter((name) => documents[name] === undefined)).toEqual(['acls', 'proxy', 'tier-acls']);
});

describe('the adapter of a created network', () => {
  const policies = (changes: object) =>
    resolveNetwork(readNetworkConfig(example('l2bridge', changes)), undefined, hostAdapters).Policies;

  test.each([
    ['an unknown interface name, which HNS checks', 'Ethernet 9', 'Ethernet 9'],
    ['an index', '7', 'Ethernet 2'],
    ['a MAC address', '00:15:5d:00:00:01', 'Ethernet 2'],
    ['an address', '10.0.0.4', 'Ethernet'],
    ['a prefix', '10.0.0.0/8', 'Ethernet'],
    ['an adapter of a virtual switch', 'vEthernet (Ethernet)', 'Ethernet'],
  ])('is given as %s', (_, adapter, name) => {
    expect(policies({ adapter })).toEqual([named(name)]);
  });

  test('is the one with the default route if none is configured', () => {
    expect(policies({ adapter: undefined })).toEqual([named('Ethernet')]);
  });

  test("is left to HNS if another plugin's configuration is ambiguous", () => {
    const adapters = hostAdapters.map((adapter) => ({ ...adapter, metric: 15, gateways: ['10.0.0.1'] }));
    const own = readNetworkConfig(example('l2bridge', { adapter: undefined }));
    const dropIn = { ...own, behavior: dropInBehavior };
    expect(resolveNetwork(dropIn, undefined, adapters).Policies).toBeUndefined();
    expect(resolveNetwork(dropIn, undefined, hostAdapters).Policies).toEqual([named('Ethernet')]);
    expect(() => resolveNetwork(own, undefined, adapters)).toThrow(/several network adapters/);
  });

  test.each([
    ['NetAdapterName', { NetworkAdapterName: 'Ethernet 2' }],
    ['ProviderAddress', { ProviderAddress: '10.0.0.4' }],
    ['InterfaceConstraint', { InterfaceAlias: 'Ethernet 2' }],
  ])('is left to a policy %s', (Type, Settings) => {
    expect(policies({ adapter: undefined, networkPolicies: [{ Type, Settings }] })).toEqual([
      { Type, Settings },
    ]);
  });
});

test('the other policies are part of the created document and not added later', () => {
  const config = readNetworkConfig(example('nat'));
  expect(config.networkPolicies).toEqual([{ Type: 'AutomaticDNS', Settings: { Enable: true } }]);
  expect(policiesAfterCreation(config)).toEqual([]);
});
