import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { HostComputeNamespace, ObservedEndpoint } from '../../../src/hcn/documents.ts';
import { endpointId } from '../../../src/model/identity.ts';
import {
  attachmentDifferences,
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

test.each([
  ['a DNS domain', { Dns: { ServerList: ['10.96.0.10'], Domain: 'cluster.local', Search: ['a.b'] } }],
  ['a DNS server', { Dns: { ServerList: ['10.96.0.10', '10.0.0.53'] } }],
  [
    'an exception of outbound NAT',
    {
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] } },
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ],
    },
  ],
  ['a success code in the health', { Health: { Data: { LastErrorCode: 1 } } }],
  [
    'a default route',
    {
      Routes: ['10.245.1.254', '10.245.1.1'].map((NextHop) => ({ NextHop, DestinationPrefix: '0.0.0.0/0' })),
    },
  ],
])('%s that HNS adds is no difference', (_, change) => {
  expect(attachmentDifferences(expected, { ...observed, ...having(change) })).toEqual([]);
});

test('a gateway that HNS returns only after the attachment is no difference', () => {
  const prevResult = { ...expected.prevResult, ips: [{ address: '10.245.1.7/24', interface: 0 }] };
  expect(attachmentDifferences({ ...expected, prevResult }, observed)).toEqual([]);
});

test('an unchanged attachment has no differences, even if a later plugin extended the result', () => {
  expect(attachmentDifferences(expected, observed)).toEqual([]);
});

test('a namespace id in capitals and further resources of the namespace are no difference', () => {
  const other = { Type: 'container', Data: { Id: '11111111-2222-3333-4444-555555555555' } };
  const Resources = [other, ...(namespace.Resources ?? []), other];
  const made = having({ HostComputeNamespace: namespaceId.toUpperCase() });
  expect(
    attachmentDifferences(expected, { ...observed, ...made, namespace: { ...namespace, Resources } }),
  ).toEqual([]);
});

test('other interfaces in prevResult are not checked', () => {
  const { interfaces, ips } = expected.prevResult;
  const prevResult = {
    ...expected.prevResult,
    interfaces: [{ name: 'eth0', sandbox: '/var/run/netns/host' }, ...interfaces, { name: 'lo' }],
    ips: [
      { address: '192.168.9.9/24', interface: 0 },
      ...ips.map((ip) => ({ ...ip, interface: 1 })),
      { address: '127.0.0.1/8', interface: 2 },
      { address: '10.9.9.9/24' },
    ],
  };
  expect(attachmentDifferences({ ...expected, prevResult }, observed)).toEqual([]);
});

test.each<[string, Partial<ObservedAttachment>, string]>([
  ['without its endpoint', { endpoint: undefined }, 'endpoint "c0ffee_overlay_eth0" is gone'],
  ['without its network', { isNetworkMissing: true }, 'network "overlay" is gone'],
  ['without its namespace', { namespace: undefined }, `namespace ${namespaceId} is gone`],
  [
    'that its namespace does not list',
    { namespace: { SchemaVersion } },
    `namespace ${namespaceId} does not list the endpoint`,
  ],
  [
    'with a namespace that lists another endpoint',
    {
      namespace: {
        Resources: [{ Type: 'endpoint', Data: { Id: '11111111-2222-3333-4444-555555555555' } }],
        SchemaVersion,
      },
    },
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
    'in the namespace of zeros',
    having({ HostComputeNamespace: '00000000-0000-0000-0000-000000000000' }),
    `the endpoint is in no namespace, expected ${namespaceId}`,
  ],
  [
    'with two other addresses',
    having({
      IpConfigurations: ['10.245.1.8', '10.245.1.9'].map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
      MacAddress: '0E-2A-0A-F5-01-08',
    }),
    'the endpoint has 10.245.1.8/24, 10.245.1.9/24, expected 10.245.1.7/24',
  ],
  [
    'without an address',
    having({ IpConfigurations: [] }),
    'the endpoint has no address, expected 10.245.1.7/24',
  ],
  ['without a gateway', having({ Routes: [] }), 'the gateway of 10.245.1.7/24 is none, expected 10.245.1.1'],
  ['without a MAC address', { endpoint: withoutMac }, 'the MAC address is none, expected 0e:2a:0a:f5:01:07'],
  [
    'with the MAC address of another address',
    having({ MacAddress: '0E-2A-0A-F5-01-08' }),
    'the MAC address is 0e:2a:0a:f5:01:08, expected 0e:2a:0a:f5:01:07',
  ],
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
    'with another address',
    having({
      MacAddress: '0E-2A-0A-F5-01-08',
      IpConfigurations: [{ IpAddress: '10.245.1.8', PrefixLength: 24 }],
    }),
    'the endpoint has 10.245.1.8/24, expected 10.245.1.7/24',
  ],
  [
    'with another gateway',
    having({ Routes: [{ NextHop: '10.245.1.2', DestinationPrefix: '0.0.0.0/0' }] }),
    'the gateway of 10.245.1.7/24 is 10.245.1.2, expected 10.245.1.1',
  ],
  [
    'with another MAC address',
    having({ MacAddress: '' }),
    'the MAC address is none, expected 0e:2a:0a:f5:01:07',
  ],
  [
    'without its provider address',
    having({ Policies: endpoint.Policies?.slice(0, 1) ?? [] }),
    'policy ProviderAddress is missing',
  ],
  [
    'with other DNS servers',
    having({ Dns: { ServerList: ['1.1.1.1'] } }),
    'dns is {"ServerList":["1.1.1.1"]}, expected {"ServerList":["10.96.0.10"]}',
  ],
  [
    'with an error in its health',
    having({ Health: { Data: { LastErrorCode: -2143617009 } } }),
    'HNS reports the endpoint as unhealthy: HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION (0x803b000f): This requested operation is invalid for a remote endpoint. ' +
      'Find it with win-hcn ls endpoints --remote. If nothing uses its address, delete it with win-hcn endpoint delete ID --yes.',
  ],
  [
    'in state Degraded',
    having({ State: 5 }),
    'HNS reports the endpoint as degraded. ' +
      'Delete the pod so that it is recreated. If new endpoints fail too, find the failed policy with Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20 and correct it, or drain the node and run Restart-Service hns.',
  ],
])('an attachment %s has one difference', (_, change, difference) => {
  expect(attachmentDifferences(expected, { ...observed, ...change })).toEqual([difference]);
});

test.each([
  [
    'without the interface',
    { ...expected.prevResult, interfaces: [] },
    `prevResult has no interface "eth0" in namespace ${namespaceId}`,
  ],
  [
    'without an address on the interface',
    { ...expected.prevResult, ips: [] },
    'prevResult has no address on interface "eth0"',
  ],
])('a prevResult %s is a difference', (_, prevResult, difference) => {
  expect(attachmentDifferences({ ...expected, prevResult }, observed)).toEqual([difference]);
});

describe('outbound NAT with exceptions of both families', () => {
  const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000000 } };
  const config = readNetworkConfig({
    name: 'dual',
    networkType: 'L2Bridge',
    subnets: [{ subnet: '10.245.1.0/24' }, { subnet: 'fd00:1::/64' }],
    ipam: { type: 'host-local' },
    outboundNat: { exceptions: ['10.0.0.0/8', 'fd00::/8'] },
    endpointPolicies: [qos],
  });
  const both = [
    { IpAddress: '10.245.1.7', PrefixLength: 24 },
    { IpAddress: 'fd00:1::7', PrefixLength: 64 },
  ];
  const shown = { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8', 'fd00::/8'] } };
  const prevResult = {
    ...expected.prevResult,
    ips: [{ address: '10.245.1.7/24', gateway: '10.245.1.1', interface: 0 }],
  };

  test.each([
    ['can be in one policy', [shown, qos], []],
    [
      'does not replace another policy',
      [shown, { ...qos, Settings: { MaximumOutgoingBandwidthInBytes: 1 } }],
      ['policy {"Type":"QOS","Settings":{"MaximumOutgoingBandwidthInBytes":1000000}} is missing'],
    ],
  ])('%s', (_, Policies, differences) => {
    const made = { ...endpoint, IpConfigurations: both, Policies, Dns: {} };
    const wanted = { ...expected, config, prevResult };
    expect(attachmentDifferences(wanted, { ...observed, endpoint: made })).toEqual(differences);
  });
});

describe('a pod that was created before other nodes joined or left', () => {
  const remoteSubnets = [
    { subnet: '10.99.2.0/24', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-0C' },
    { subnet: '192.168.2.0/24', providerAddress: '10.0.0.6', macAddress: '00-15-5D-0A-0B-0D' },
  ];
  const wanted = { ...expected, config: { ...expected.config, remoteSubnets } };
  const withExceptions = (Exceptions: readonly string[]) => {
    const [, ...others] = endpoint.Policies ?? [];
    return {
      ...observed,
      ...having({ Policies: [{ Type: 'OutBoundNAT', Settings: { Exceptions } }, ...others] }),
    };
  };

  test.each([
    ['without its exception', ['10.0.0.0/8', '172.16.0.0/12']],
    ['with its exception', ['10.0.0.0/8', '172.16.0.0/12', '192.168.2.0/24']],
    ['with that of a node that left', ['10.0.0.0/8', '172.16.0.0/12', '192.168.9.0/24']],
  ])('has no difference %s', (_, exceptions) => {
    expect(attachmentDifferences(wanted, withExceptions(exceptions))).toEqual([]);
  });

  test('has no difference with the exceptions of nodes that left if the configuration has one remote subnet', () => {
    const one = { ...wanted, config: { ...wanted.config, remoteSubnets: remoteSubnets.slice(0, 1) } };
    const exceptions = ['10.0.0.0/8', '172.16.0.0/12', '192.168.9.0/24'];
    expect(attachmentDifferences(one, withExceptions(exceptions))).toEqual([]);
  });

  test('needs the configured exceptions', () => {
    expect(attachmentDifferences(wanted, withExceptions(['10.0.0.0/8', '192.168.2.0/24']))).toEqual([
      'policy {"Type":"OutBoundNAT","Settings":{"Exceptions":["10.0.0.0/8","172.16.0.0/12"]}} is missing',
    ]);
  });
});

test('a policy of a type that HNS does not return is no difference, and is named', () => {
  const made = { ...endpoint, Policies: endpoint.Policies?.slice(1) ?? [] };
  expect(attachmentDifferences(expected, { ...observed, endpoint: made })).toEqual([]);
  expect(unreturnedPolicies(expected, made)).toEqual([
    `HNS does not return policy {"Type":"OutBoundNAT","Settings":{"Exceptions":["10.0.0.0/8","172.16.0.0/12"]}} of endpoint "${endpoint.Name}"`,
  ]);
  expect(unreturnedPolicies(expected, endpoint)).toEqual([]);
});

test.each([
  ['as a policy', [{ Type: 'EncapOverhead', Settings: { Overhead: 50 } }], []],
  ['as a member of the endpoint', [], []],
  [
    'unless the policy has another overhead',
    [{ Type: 'encapoverhead', Settings: { Overhead: 60 } }],
    ['policy {"Type":"EncapOverhead","Settings":{"Overhead":50}} is missing'],
  ],
])('an endpoint has the configured MTU %s', (_, policies, differences) => {
  const made = { ...endpoint, Policies: [...(endpoint.Policies ?? []), ...policies] };
  const wanted = { ...expected, encapOverhead: 50 };
  expect(attachmentDifferences(wanted, { ...observed, endpoint: made })).toEqual(differences);
});

describe('a returned document', () => {
  const sent = {
    Type: 'ACL',
    Settings: {
      Protocols: '6',
      Action: 'Allow',
      Direction: 'In',
      RuleType: 'Host',
      Exceptions: ['a', 'b'],
      Flags: 0,
    },
  };

  test.each([
    ['is equal', sent],
    ['has more members', { ...sent, Settings: { ...sent.Settings, Id: 'x' } }],
    ['has a list in another order', { ...sent, Settings: { ...sent.Settings, Exceptions: ['b', 'a'] } }],
    [
      'has keys in another order and text in another case',
      { Settings: { ...sent.Settings, Action: 'allow' }, Type: 'acl' },
    ],
    [
      'lacks members with default values',
      { Type: 'ACL', Settings: { Protocols: '6', Exceptions: ['a', 'b'] } },
    ],
  ])('matches what was sent if it %s', (_, observed) => {
    expect(matchesSent(observed, sent)).toBe(true);
  });

  test.each([
    ['is absent', undefined],
    ['has another type', { ...sent, Type: 'OutBoundNAT' }],
    ['has another value', { ...sent, Settings: { ...sent.Settings, Action: 'Block' } }],
    [
      'lacks a text that is a default of other members only',
      { ...sent, Settings: { ...sent.Settings, Type: undefined, Protocols: '' } },
    ],
    ['lacks a value', { ...sent, Settings: { ...sent.Settings, Protocols: undefined } }],
    ['has a shorter list', { ...sent, Settings: { ...sent.Settings, Exceptions: ['a'] } }],
    ['is a string', 'ACL'],
  ])('does not match what was sent if it %s', (_, observed) => {
    expect(matchesSent(observed, sent)).toBe(false);
  });
});

describe('a member that HNS omits, or returns as null, matches', () => {
  test.each([
    { Action: 'Allow' },
    { TierAclRuleAction: 'Allow' },
    { Direction: 'In' },
    { RuleType: 'Host' },
    { Text: '' },
    { Flag: false },
    { Count: 0 },
    { Nothing: null },
    { Nothing: undefined },
    { List: [] },
    { Settings: { Action: 'Allow', List: [''], Deeper: { Count: 0 } } },
  ])('the default %j', (sent) => {
    expect(matchesSent({}, sent)).toBe(true);
    expect(matchesSent({ [Object.keys(sent)[0] ?? '']: null }, sent)).toBe(true);
    expect(matchesSent(undefined, sent)).toBe(true);
  });

  test.each([
    { Action: 'Block' },
    { TierAclRuleAction: 'Block' },
    { Direction: 'Out' },
    { RuleType: 'Switch' },
    { Text: 'Allow' },
    { Flag: true },
    { Count: 1 },
    { List: ['x'] },
    { Settings: { Action: 'Allow', Direction: 'Out' } },
    { Settings: { Count: 1 } },
  ])('not %j', (sent) => {
    expect(matchesSent({}, sent)).toBe(false);
    expect(matchesSent(undefined, sent)).toBe(false);
  });
});

test('a returned list matches if each item has what was sent, and may have more', () => {
  const sent = { Rules: [{ Name: 'a' }, { Name: 'b', Count: 0 }] };
  const rules = [{ Name: 'B' }, { Name: 'a', Id: 'x' }];
  expect(matchesSent({ Rules: rules }, sent)).toBe(true);
  expect(matchesSent({ Rules: [{ Id: 'x' }, { Name: 'b' }] }, sent)).toBe(false);
  expect(matchesSent('a,b', ['a', 'b'])).toBe(false);
  expect(matchesSent(sent, sent.Rules)).toBe(false);
});

test('a policy that HNS returns with more members is not missing', () => {
  const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1_000_000 } };
  const config = { ...expected.config, egressBytes: 1_000_000 };
  const Policies = [...(endpoint.Policies ?? []), { ...qos, Settings: { ...qos.Settings, Id: 'x' } }];
  expect(attachmentDifferences({ ...expected, config }, { ...observed, ...having({ Policies }) })).toEqual(
    [],
  );
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

  test('is found in any order, in another case, with additional members and without default ones', () => {
    expect(differencesWith(second, first)).toEqual([]);
  });

  test.each([
    ['another protocol', { Protocols: '17' }],
    ['another address', { RemoteAddresses: '10.0.0.0/8' }],
    ['another priority', { Priority: 201 }],
  ])('that HNS returns with %s is no difference, because HNS may merge ACLs, and is named', (_, change) => {
    expect(differencesWith(first, { ...second, ...change })).toEqual([]);
    expect(unreturnedWith(first, { ...second, ...change })).toEqual([
      `HNS does not return ${missing} of endpoint "${endpoint.Name}"`,
    ]);
  });

  test('is missing if HNS returns no ACL', () => {
    expect(differencesWith()).toEqual([expect.stringContaining('10.0.0.0/8'), `${missing} is missing`]);
  });
});
