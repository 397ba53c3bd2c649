import { describe, expect, test } from 'vitest';
import { defaultBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { policiesAfterCreation, resolveNetwork } from '../../../src/plan/network-plan.ts';
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
    SchemaVersion,
  },
  ics: { Name: 'ics', Type: 'ICS', Flags: 1, SchemaVersion },
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
};

test("HostRoute is the default of an Overlay network with win-hcn's own configuration", () => {
  const config = { ...readNetworkConfig(example('overlay')), networkPolicies: [], behavior: defaultBehavior };
  expect(policiesAfterCreation(config)).toEqual([{ Type: 'HostRoute', Settings: {} }]);
  expect(policiesAfterCreation({ ...config, networkType: 'L2Bridge' })).toEqual([]);
  const networkPolicies = [{ Type: 'VxlanPort', Settings: { Port: 4789 } }];
  expect(policiesAfterCreation({ ...config, networkType: 'L2Bridge', networkPolicies })).toEqual([]);
});

test.each([
  ['EnableDnsProxy', 1],
  ['EnableNonPersistent', 8],
  ['DisableHostPort', 1024],
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
