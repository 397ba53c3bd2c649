import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { HostComputeNamespace, ObservedEndpoint } from '../../../src/hcn/documents.ts';
import { endpointId } from '../../../src/model/identity.ts';
import {
  attachmentDifferences,
  comparePolicies,
  matchesSent,
  type ObservedAttachment,
  unreturnedPolicies,
} from '../../../src/plan/check.ts';

const namespaceId = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'overlay' };
const SchemaVersion = { Major: 2, Minor: 0 };

const expected = {
  attachment,
  namespaceId,
  config: readNetworkConfig({
    name: 'overlay',
    networkType: 'Overlay',
    subnets: [{ subnet: '10.245.1.0/24', vsid: 4096 }],
    ipam: { type: 'host-local' },
    macPrefix: '0E-2A',
    dns: { nameservers: ['10.96.0.10'] },
    outboundNat: { exceptions: ['10.0.0.0/8', '172.16.0.0/12'] },
  }),
  prevResult: {
    interfaces: [{ name: 'eth0', sandbox: `{${namespaceId.toUpperCase()}}` }],
    ips: [{ address: '10.245.1.7/24', gateway: '10.245.1.1', interface: 0 }],
    routes: [{ dst: '192.168.0.0/16', gw: '10.245.1.9' }],
    dns: {},
  },
  ownSubnets: [],
  encapOverhead: undefined,
};

const endpoint: ObservedEndpoint = {
  ID: endpointId(attachment),
  Name: 'c0ffee_overlay_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  HostComputeNamespace: namespaceId,
  MacAddress: '0e-2a-0a-f5-01-07',
  IpConfigurations: [{ IpAddress: '10.245.1.7', PrefixLength: 24 }],
  Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
  Dns: { ServerList: ['10.96.0.10'] },
  Policies: [
    { Type: 'outboundnat', Settings: { Exceptions: ['172.16.0.0/12', '10.0.0.0/8'] } },
    { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  ],
  SchemaVersion,
};

const namespace: HostComputeNamespace = {
  Resources: [{ Type: 'endpoint', Data: { Id: endpointId(attachment) } }],
  SchemaVersion,
};

const { HostComputeNamespace: _namespace, ...withoutNamespace } = endpoint;
const { MacAddress: _mac, ...withoutMac } = endpoint;
const { Dns: _dns, ...withoutDns } = endpoint;
const observed = { endpoint, namespace, isNetworkMissing: false };
const having = (changes: Partial<ObservedEndpoint>) => ({ endpoint: { ...endpoint, ...changes } });

test.each<[string, Partial<ObservedAttachment>, string]>([
  ['without its network', { isNetworkMissing: true }, 'network "overlay" is gone'],
  ['without its endpoint', { endpoint: undefined }, 'endpoint "c0ffee_overlay_eth0" is gone'],
  ['without its namespace', { namespace: undefined }, `namespace ${namespaceId} is gone`],
  [
    'that its namespace does not list',
    { namespace: { SchemaVersion } },
    `namespace ${namespaceId} does not list the endpoint`,
  ],
  [
    'in another namespace',
    having({ HostComputeNamespace: '11111111-2222-3333-4444-555555555555' }),
    `the endpoint is in namespace 11111111-2222-3333-4444-555555555555, expected ${namespaceId}`,
  ],
  [
    'in no namespace',
    { endpoint: withoutNamespace },
    `the endpoint is in no namespace, expected ${namespaceId}`,
  ],
  [
    'with another address',
    having({
      MacAddress: '0E-2A-0A-F5-01-08',
      IpConfigurations: [{ IpAddress: '10.245.1.8', PrefixLength: 24 }],
    }),
    'the endpoint has 10.245.1.8/24, expected 10.245.1.7/24',
  ],
  [
    'without an address',
    having({ IpConfigurations: [] }),
    'the endpoint has no address, expected 10.245.1.7/24',
  ],
  ['without a gateway', having({ Routes: [] }), 'the gateway of 10.245.1.7/24 is none, expected 10.245.1.1'],
  ['without a MAC address', { endpoint: withoutMac }, 'the MAC address is none, expected 0e:2a:0a:f5:01:07'],
  ['without DNS settings', { endpoint: withoutDns }, 'dns is {}, expected {"ServerList":["10.96.0.10"]}'],
  [
    'without an exception of outbound NAT',
    having({
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } },
        ...(endpoint.Policies ?? []).slice(1),
      ],
    }),
    'policy {"Type":"OutBoundNAT","Settings":{"Exceptions":["10.0.0.0/8","172.16.0.0/12"]}} is missing',
  ],
  [
    'without its provider address',
    having({ Policies: endpoint.Policies?.slice(0, 1) ?? [] }),
    'policy ProviderAddress is missing',
  ],
])('an attachment %s has one difference', (_, change, difference) => {
  expect(attachmentDifferences(expected, { ...observed, ...change })).toEqual([difference]);
});

test.each([
  ['a DNS domain', { Dns: { ServerList: ['10.96.0.10'], Domain: 'cluster.local' } }],
  [
    'a default route before the own one',
    { Routes: [{ NextHop: '10.245.1.9', DestinationPrefix: '0.0.0.0/0' }, ...(endpoint.Routes ?? [])] },
  ],
  ['a success code in the health', { Health: { Data: { LastErrorCode: 1 } } }],
  ['further members of a policy', { Policies: endpoint.Policies?.map((one) => ({ ...one, Id: 'x' })) ?? [] }],
])('%s that HNS adds is no difference', (_, change) => {
  expect(attachmentDifferences(expected, { ...observed, ...having(change) })).toEqual([]);
});

test('only the interface of the attachment in prevResult is checked', () => {
  const { interfaces, ips } = expected.prevResult;
  const prevResult = {
    ...expected.prevResult,
    interfaces: [{ name: 'eth0', sandbox: '/var/run/netns/host' }, ...interfaces, { name: 'lo' }],
    ips: [
      { address: '192.168.9.9/24', interface: 0 },
      ...ips.map((ip) => ({ ...ip, interface: 1 })),
      { address: '127.0.0.1/8', interface: 2 },
    ],
  };
  expect(attachmentDifferences({ ...expected, prevResult }, observed)).toEqual([]);
  expect(
    attachmentDifferences({ ...expected, prevResult: { ...prevResult, interfaces: [] } }, observed),
  ).toEqual([`prevResult has no interface "eth0" in namespace ${namespaceId}`]);
  expect(attachmentDifferences({ ...expected, prevResult: { ...prevResult, ips: [] } }, observed)).toEqual([
    'prevResult has no address on interface "eth0"',
  ]);
});

test('a policy of a type that HNS does not return is no difference, and is named', () => {
  const made = { ...endpoint, Policies: endpoint.Policies?.slice(1) ?? [] };
  expect(attachmentDifferences(expected, { ...observed, endpoint: made })).toEqual([]);
  expect(unreturnedPolicies(expected, made)).toEqual([
    `HNS does not return policy {"Type":"OutBoundNAT","Settings":{"Exceptions":["10.0.0.0/8","172.16.0.0/12"]}} of endpoint "${endpoint.Name}"`,
  ]);
});

describe('a returned document', () => {
  const sent = {
    Type: 'ACL',
    Settings: { Protocols: '6', Action: 'Allow', Exceptions: ['a', 'b'], Flags: 0 },
  };
  const { Settings } = sent;

  test.each<[string, boolean, unknown]>([
    [
      'in another order and case, and with more members',
      true,
      {
        Settings: { Id: 'x', Exceptions: ['b', 'a'], Flags: 0, Action: 'allow', Protocols: '6' },
        Type: 'acl',
      },
    ],
    [
      'without members with default values',
      true,
      { Type: 'ACL', Settings: { Protocols: '6', Exceptions: ['a', 'b'] } },
    ],
    ['with another type', false, { ...sent, Type: 'OutBoundNAT' }],
    ['with another value', false, { ...sent, Settings: { ...Settings, Action: 'Block' } }],
    ['without a value', false, { ...sent, Settings: { ...Settings, Protocols: undefined } }],
    ['with a shorter list', false, { ...sent, Settings: { ...Settings, Exceptions: ['a'] } }],
    ['that is a string', false, 'ACL'],
  ])('%s matches what was sent: %j', (_, matches, given) => {
    expect(matchesSent(given, sent)).toBe(matches);
  });

  test.each([{ Action: 'Block' }, { RuleType: 'Switch' }, { Text: 'Allow' }, { Flag: true }, { Count: 1 }])(
    'without %j does not match',
    (wanted) => {
      expect(matchesSent({}, wanted)).toBe(false);
      expect(matchesSent(undefined, wanted)).toBe(false);
    },
  );
});

describe('a member that HNS omits, or returns as null, matches', () => {
  test.each([
    { RuleType: 'Host' },
    { Flag: false },
    { Nothing: undefined },
    { Settings: { Action: 'Allow', List: [''], Deeper: { Count: 0 } } },
  ])('the default %j', (sent) => {
    expect(matchesSent({}, sent)).toBe(true);
    expect(matchesSent({ [Object.keys(sent)[0] ?? '']: null }, sent)).toBe(true);
    expect(matchesSent(undefined, sent)).toBe(true);
  });
});

test('of the ACLs that HNS does not return, those that block are missing, and others only if it returns no own one', () => {
  const acl = (Action: string, Direction: string, more: object = {}) => ({
    Type: 'ACL',
    Settings: { Action, Direction, ...more },
  });
  const [own, other] = [acl('Allow', 'In', { Protocols: '6' }), acl('Allow', 'Out')];
  const block = acl('Block', 'Out', { RemotePorts: '25' });
  const compare = (...wanted: readonly (typeof own)[]) =>
    comparePolicies(wanted, { ...endpoint, Policies: [own] });
  expect(compare(own, other, block)).toEqual({ missing: [block], unreturned: [other] });
  expect(compare(other, block)).toEqual({ missing: [other, block], unreturned: [] });
});

describe('an ACL', () => {
  const acls = [
    { action: 'Allow', direction: 'In', protocols: ['tcp'], remoteAddresses: ['10.0.0.0/8'], priority: 100 },
    { action: 'Allow', direction: 'In', protocols: ['tcp'], remoteAddresses: ['fd00::/8'], priority: 200 },
  ];
  const config = {
    ...expected.config,
    acls: readNetworkConfig({
      name: 'n',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.245.1.0/24' }],
      defaultAction: 'Block',
      acls,
    }).acls,
  };
  const made = (policies: readonly object[]) => {
    const others = endpoint.Policies ?? [];
    const Policies = [...policies.map((Settings) => ({ Type: 'acl', Settings: { ...Settings } })), ...others];
    return { ...endpoint, Policies };
  };
  const differencesWith = (...policies: readonly object[]) =>
    attachmentDifferences({ ...expected, config }, { ...observed, endpoint: made(policies) });
  const unreturnedWith = (...policies: readonly object[]) =>
    unreturnedPolicies({ ...expected, config }, made(policies));
  const first = { Protocols: '6', RemoteAddresses: '10.0.0.0/8', Priority: 100, RuleType: 'Switch' };
  const second = { Protocols: '6', RemoteAddresses: 'FD00::/8', Priority: 200, RuleType: 'SWITCH', Id: 'x' };
  const missing =
    'policy {"Type":"ACL","Settings":{"Protocols":"6","RemoteAddresses":"fd00::/8","Priority":200,"Action":"Allow","Direction":"In","RuleType":"Switch"}}';

  test('that HNS returns with another priority is no difference, because HNS may merge ACLs, and is named', () => {
    const change = { Priority: 201 };
    expect(differencesWith(first, { ...second, ...change })).toEqual([]);
    expect(unreturnedWith(first, { ...second, ...change })).toEqual([
      `HNS does not return ${missing} of endpoint "${endpoint.Name}"`,
    ]);
  });

  test('is found in any order, in another case, with additional members and without default ones', () => {
    expect(differencesWith(second, first)).toEqual([]);
    expect(unreturnedWith(second, first)).toEqual([]);
  });

  test('is missing if HNS returns no ACL', () => {
    expect(differencesWith()).toEqual([expect.stringContaining('10.0.0.0/8'), `${missing} is missing`]);
  });
});
