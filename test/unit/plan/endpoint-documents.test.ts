import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { HostComputeEndpoint } from '../../../src/hcn/documents.ts';
import {
  endpointDns,
  endpointDocument,
  hcnDns,
  ignoredRoutes,
  macAddressFor,
} from '../../../src/plan/endpoint.ts';
import { type Assignment, requestedAddresses } from '../../../src/plan/endpoint-addresses.ts';
import { type IdentifiedNetwork, resolveNetwork } from '../../../src/plan/network.ts';

function example(name: string, changes: object = {}): NetworkConfig {
  const { plugins, ...list } = JSON.parse(readFileSync(`conflist-examples/${name}.conflist`, 'utf8'));
  return readNetworkConfig({ ...plugins[0], cniVersion: list.cniVersion, name: list.name, ...changes });
}

const l2bridge = resolveNetwork(example('l2bridge'), undefined);
const dualStack = {
  ...l2bridge,
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }, { IpAddressPrefix: 'fd00:1::/64' }] }],
};
const overlay = {
  ...resolveNetwork(example('overlay'), undefined),
  Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } }],
};

/** The endpoint document for a configuration. Without `assigned`, HNS assigns the addresses. */
function documentOf(
  config: NetworkConfig,
  assigned?: Partial<NonNullable<Assignment>>,
  network: IdentifiedNetwork = l2bridge,
): HostComputeEndpoint {
  const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: config.name };
  return endpointDocument(
    config,
    attachment,
    network,
    assigned && { ips: [], routes: [], dns: {}, ...assigned },
  );
}

test('the endpoint of the L2Bridge example has this document if HNS assigns the address', () => {
  expect(documentOf(example('l2bridge'))).toEqual({
    ID: '070ede33-25ca-53d9-9556-72c268cfd259',
    Name: 'c0ffee_l2bridge_eth0',
    HostComputeNetwork: l2bridge.ID,
    Policies: [
      {
        Type: 'ACL',
        Settings: {
          Protocols: '6',
          RemoteAddresses: '169.254.169.254',
          RemotePorts: '80',
          Priority: 200,
          Action: 'Block',
          Direction: 'Out',
          RuleType: 'Switch',
        },
      },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Allow', Direction: 'In', RuleType: 'Switch' } },
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Allow', Direction: 'Out', RuleType: 'Switch' } },
    ],
    Dns: { Search: ['svc.cluster.local'], ServerList: ['10.96.0.10'] },
    SchemaVersion: { Major: 2, Minor: 0 },
  });
});

describe('the endpoint of the Overlay example', () => {
  const document = {
    ID: '8f3d2839-3a1f-5477-8179-8f48ec57b9ae',
    Name: 'c0ffee_overlay_eth0',
    HostComputeNetwork: overlay.ID,
    Policies: [
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.245.0.0/16', '10.96.0.0/12'] } },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
    ],
    Dns: { Search: ['svc.cluster.local'], ServerList: ['10.96.0.10'] },
    SchemaVersion: { Major: 2, Minor: 0 },
  };

  test('has this document if HNS assigns the address', () => {
    expect(documentOf(example('overlay'), undefined, overlay)).toEqual(document);
  });

  test('has this document if an IPAM plugin assigns the address', () => {
    const config = example('overlay', { ipam: { type: 'host-local' }, macPrefix: '0E-2A' });
    const ips = [{ address: '10.245.1.7/24', gateway: '10.245.1.1' }];
    expect(documentOf(config, { ips }, overlay)).toEqual({
      ...document,
      IpConfigurations: [{ IpAddress: '10.245.1.7', PrefixLength: 24 }],
      Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
      MacAddress: '0E-2A-0A-F5-01-07',
    });
  });
});

describe('addresses from an IPAM plugin', () => {
  const ips = [{ address: '10.244.1.9/16', gateway: '10.244.0.1' }];

  test("get the subnet's prefix length and gateway", () => {
    expect(documentOf(example('l2bridge'), { ips })).toMatchObject({
      IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
      Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
    });
  });

  test.each([
    [
      'through their own gateway or the default gateway',
      [
        { dst: '0.0.0.0/0', gw: '10.244.1.254' },
        { dst: '10.96.0.0/12' },
        { dst: '192.168.0.0/16', gw: '10.244.1.3' },
      ],
      [
        { NextHop: '10.244.1.254', DestinationPrefix: '0.0.0.0/0' },
        { NextHop: '10.244.1.1', DestinationPrefix: '10.96.0.0/12' },
        { NextHop: '10.244.1.3', DestinationPrefix: '192.168.0.0/16' },
      ],
    ],
    [
      'to networks, even if their destination has host bits',
      [{ dst: '10.96.0.10/12' }],
      [
        { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
        { NextHop: '10.244.1.1', DestinationPrefix: '10.96.0.0/12' },
      ],
    ],
  ])('come with routes %s', (_, routes, expected) => {
    expect(documentOf(example('l2bridge'), { ips, routes }).Routes).toEqual(expected);
  });

  test('come with DNS settings for each member that the configuration does not set', () => {
    const dns = { nameservers: ['1.1.1.1'], domain: 'a.b', options: ['ndots:5'] };
    expect(documentOf(example('l2bridge', { dns: {} }), { ips, dns }).Dns).toEqual({
      Domain: 'a.b',
      ServerList: ['1.1.1.1'],
      Options: ['ndots:5'],
    });
    expect(documentOf(example('l2bridge'), { ips, dns }).Dns).toEqual({
      Domain: 'a.b',
      Search: ['svc.cluster.local'],
      ServerList: ['10.96.0.10'],
      Options: ['ndots:5'],
    });
  });

  test('outside the network are refused', () => {
    expect(() => documentOf(example('l2bridge'), { ips: [{ address: '10.9.0.5/24' }] })).toThrow(
      expect.objectContaining({
        code: 7,
        message: 'address 10.9.0.5 is outside network "l2bridge"',
        details: 'subnets of the network: 10.244.1.0/24; correct them or the source of the address',
      }),
    );
  });
});

test('an endpoint without policies has no Policies, and one with a single policy has it', () => {
  const none = example('l2bridge', {
    acls: [],
    defaultAction: undefined,
    outboundNat: undefined,
    sdnRoutes: [],
  });
  expect(Object.keys(documentOf(none))).toEqual(['ID', 'Name', 'HostComputeNetwork', 'Dns', 'SchemaVersion']);
  expect(documentOf({ ...none, egressBytes: 1000 }).Policies).toEqual([
    { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } },
  ]);
});

describe('the default route of an endpoint', () => {
  const bare = { ...l2bridge, Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }] };
  const own = [{ address: '10.244.1.9/24', gateway: '10.244.1.5' }];
  const to = (gw: string, dst = '0.0.0.0/0') => ({ dst, gw });

  test.each<
    [
      string,
      object,
      readonly { address: string; gateway?: string }[],
      readonly { dst: string; gw?: string }[],
      string,
    ]
  >([
    ['is the requested one', {}, own, [to('10.244.1.254')], '10.244.1.254'],
    ['is the first requested one', {}, own, [to('10.244.1.254'), to('10.244.1.253')], '10.244.1.254'],
    [
      'is not that of another destination',
      {},
      own,
      [to('10.244.1.3', '10.96.0.0/12'), to('10.244.1.254')],
      '10.244.1.254',
    ],
    ['is not on-link', {}, own, [to('0.0.0.0')], '10.244.1.5'],
    ['is that of the address for a route without gateway', {}, own, [{ dst: '0.0.0.0/0' }], '10.244.1.5'],
    [
      'is that of the address in the dialect of another plugin',
      dropInBehavior,
      own,
      [to('10.244.1.254')],
      '10.244.1.5',
    ],
    [
      'is the requested one in the dialect of another plugin if the address has none',
      dropInBehavior,
      [{ address: '10.244.1.9/24' }],
      [to('10.244.1.254')],
      '10.244.1.254',
    ],
  ])('%s', (_, behavior, ips, routes, NextHop) => {
    const config = { ...example('l2bridge'), behavior: { ...example('l2bridge').behavior, ...behavior } };
    expect(documentOf(config, { ips, routes }, bare).Routes?.[0]).toEqual({
      NextHop,
      DestinationPrefix: '0.0.0.0/0',
    });
  });
});

test('the first route of an IPAM plugin whose gateway has the other family is refused', () => {
  const ips = [{ address: '10.244.1.9/24' }];
  const routes = [
    { dst: '10.96.0.0/12', gw: '10.244.1.3' },
    { dst: '10.97.0.0/16', gw: 'fd00::1' },
    { dst: 'fd00:9::/64', gw: '10.244.1.4' },
  ];
  expect(() => documentOf(example('l2bridge'), { ips, routes })).toThrow(
    expect.objectContaining({
      code: 7,
      message: 'route 10.97.0.0/16 has gateway fd00::1, which is IPv6, expected an IPv4 address',
      details: 'correct the routes of the IPAM plugin',
    }),
  );
});

test.each([
  ['none without an assignment', undefined, []],
  ['none without routes', [], []],
  [
    'none for one route of each family',
    [
      { dst: '0.0.0.0/0', gw: '10.0.0.1' },
      { dst: '::/0', gw: 'fd00::1' },
    ],
    [],
  ],
  [
    'none for a route twice',
    [
      { dst: '0.0.0.0/0', gw: '10.0.0.1' },
      { dst: '0.0.0.0/0', gw: '10.0.0.1' },
    ],
    [],
  ],
  [
    'none for other destinations',
    [
      { dst: '0.0.0.0/0', gw: '10.0.0.1' },
      { dst: '10.0.0.0/8', gw: '10.0.0.2' },
    ],
    [],
  ],
  ['none for two forms of the default gateway', [{ dst: '::/0' }, { dst: '::/0', gw: '::' }], []],
  [
    'one per family',
    [
      { dst: '::/0' },
      { dst: '0.0.0.0/0', gw: '10.0.0.1' },
      { dst: '0.0.0.0/0', gw: '10.0.0.2' },
      { dst: '::/0', gw: 'fd00::1' },
      { dst: '0.0.0.0/0', gw: '0.0.0.0' },
    ],
    [
      "the IPAM plugin's IPv4 default route through 10.0.0.2 is ignored, because it comes after the one through 10.0.0.1: an endpoint has one per address family (and 1 more)",
      "the IPAM plugin's IPv6 default route through fd00::1 is ignored, because it comes after the one through the default gateway: an endpoint has one per address family",
    ],
  ],
])('the lines about ignored default routes are %s', (_, routes, expected) => {
  expect(ignoredRoutes(routes && { ips: [], routes, dns: {} })).toEqual(expected);
});

test("lines about DNS entries are the configuration's, then those of the IPAM plugin's members that it uses", () => {
  const config = { ...example('l2bridge'), ignoredDns: ['a line'] };
  const dns = { nameservers: ['x'], domain: 'a b', options: ['ndots:5'] };
  expect(endpointDns(config, { ips: [], routes: [], dns })).toEqual({
    dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'], options: ['ndots:5'] },
    ignoredDns: [
      'a line',
      'DNS entry ignored: dns/domain of the IPAM plugin is "a b", expected a DNS name of at most 253 characters, without white space and commas',
    ],
  });
  expect(endpointDns(config, undefined)).toEqual({ dns: config.dns, ignoredDns: ['a line'] });
});

test('DNS settings have the names of HCN, without empty ones', () => {
  expect(
    hcnDns({ domain: 'a.b', search: ['c.d'], nameservers: ['10.96.0.10'], options: ['ndots:5'] }),
  ).toEqual({ Domain: 'a.b', Search: ['c.d'], ServerList: ['10.96.0.10'], Options: ['ndots:5'] });
  expect(hcnDns({ domain: '', search: [], nameservers: [], options: [] })).toEqual({});
  expect(hcnDns({})).toEqual({});
});

describe('loopbackDSR', () => {
  const config = example('l2bridge', { loopbackDSR: true });
  const natOf = (ips?: readonly string[]) => {
    const assigned = ips && { ips: ips.map((address) => ({ address })) };
    const { Policies = [] } = documentOf(config, assigned, dualStack);
    return Policies.flatMap(({ Type, Settings }) =>
      Type === 'OutBoundNAT' ? (Settings?.['Destinations'] ?? []) : [],
    );
  };

  test('translates to the IPv4 address of the endpoint, and later to the one that HNS assigns', () => {
    expect(natOf(['10.244.1.9/24'])).toEqual(['10.244.1.9']);
    expect(natOf(['fd00:1::9/64', '10.244.1.9/24'])).toEqual(['10.244.1.9']);
    expect(natOf()).toEqual([]);
  });

  test('is refused if the endpoint has only an IPv6 address', () => {
    expect(() => natOf(['fd00:1::9/64'])).toThrow(
      '/loopbackDSR is true, but the endpoint has no IPv4 address: remove loopbackDSR, or add an IPv4 subnet to the network',
    );
  });
});

test('a MAC address is derived from the first IPv4 address', () => {
  const config = { ...example('l2bridge'), macPrefix: '0E-2A' };
  expect(macAddressFor(config, ['fd00::1', '10.244.1.9', '10.244.1.10'])).toBe('0E-2A-0A-F4-01-09');
});

test.each([
  ["of another plugin's configuration", ['10.244.1.7'], '10.244.1.7'],
  ['of the network if the configured one is not in the network', ['10.9.0.1'], undefined],
  ['that is the first one in the network', ['10.9.0.1', '10.244.1.7'], '10.244.1.7'],
])('addresses from HNS have the gateway %s', (_, gateways, NextHop) => {
  const inherited = { ...example('l2bridge'), behavior: { ...dropInBehavior, gateways } };
  const routes = NextHop && [{ NextHop, DestinationPrefix: '0.0.0.0/0' }];
  expect(documentOf(inherited).Routes).toEqual(routes);
});

test.each([
  [
    'derived from the prefix and the IPv4 address',
    {},
    ['fd00:1::9/64', '10.244.1.9/24'],
    '0E-2A-0A-F4-01-09',
  ],
  ['left to HNS without an IPv4 address', {}, ['fd00:1::9/64'], undefined],
  [
    'the one that the runtime requests, even with a prefix',
    { runtimeConfig: { mac: '02:11:22:33:44:55' } },
    ['10.244.1.9/24'],
    '02-11-22-33-44-55',
  ],
])('the MAC address is %s', (_, changes, addresses, expected) => {
  const config = example('l2bridge', { ipam: { type: 'host-local' }, macPrefix: '0E-2A', ...changes });
  const ips = addresses.map((address) => ({ address }));
  expect(documentOf(config, { ips }, dualStack).MacAddress).toBe(expected);
});

test.each([
  ['fd00:1::4', 'IPv4', '10.244.1.9/24'],
  ['10.0.0.4', 'IPv6', 'fd00:1::9/64'],
])('a port mapping on %s is refused if the endpoint has only %s', (hostIP, family, address) => {
  const portMappings = [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP }];
  const config = example('l2bridge', { runtimeConfig: { portMappings } });
  expect(() => documentOf(config, { ips: [{ address }] }, dualStack)).toThrow(
    expect.objectContaining({
      code: 7,
      message: `host port 8080 is mapped on ${hostIP}, but the endpoint has only ${family}`,
    }),
  );
});

test('the first port mapping for a missing family is refused, and none if the families are unknown', () => {
  const portMappings = [
    { hostPort: 8080, containerPort: 80, protocol: 'tcp' },
    { hostPort: 8081, containerPort: 80, protocol: 'tcp', hostIP: '::' },
    { hostPort: 8082, containerPort: 80, protocol: 'tcp', hostIP: 'fd00::4' },
  ];
  const config = example('l2bridge', { runtimeConfig: { portMappings } });
  expect(() => documentOf(config)).toThrow(
    'host port 8081 is mapped on IPv6, but the endpoint has only IPv4',
  );
  const { Policies = [] } = documentOf(config, undefined, { ...l2bridge, Ipams: [] });
  expect(
    Policies.flatMap(({ Type, Settings }) => (Type === 'PortMapping' ? Settings?.['ExternalPort'] : [])),
  ).toEqual([8081, 8082]);
});

test('preferred gateways are default routes of the families that they have', () => {
  const gateways = ['10.244.1.7', 'fd00:2::7'];
  const config = { ...example('l2bridge'), behavior: { ...dropInBehavior, gateways } };
  const Subnets = [
    { IpAddressPrefix: '10.244.1.0/24', Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }] },
    { IpAddressPrefix: 'fd00:1::/64', Routes: [{ NextHop: 'fd00:1::1', DestinationPrefix: '::/0' }] },
  ];
  expect(documentOf(config, undefined, { ...l2bridge, Ipams: [{ Subnets }] }).Routes).toEqual([
    { NextHop: '10.244.1.7', DestinationPrefix: '0.0.0.0/0' },
    { NextHop: 'fd00:1::1', DestinationPrefix: '::/0' },
  ]);
});

describe('a capability from the runtime', () => {
  const withRuntime = (runtimeConfig: object, environment = {}) => {
    const { plugins, ...list } = JSON.parse(readFileSync('conflist-examples/l2bridge.conflist', 'utf8'));
    const { acls: _, defaultAction: __, ...plugin } = plugins[0];
    return readNetworkConfig({ ...plugin, name: list.name, sdnRoutes: [], runtimeConfig }, environment);
  };

  test.each([
    [
      'containerd',
      {
        portMappings: [
          { HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' },
          { HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' },
          { HostPort: 5353, ContainerPort: 53, Protocol: 'UDP', HostIP: '10.0.0.4' },
        ],
        bandwidth: {
          IngressRate: 0,
          IngressBurst: 4294967295,
          EgressRate: 10000000,
          EgressBurst: 4294967295,
        },
      },
      [
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
        {
          Type: 'PortMapping',
          Settings: { Protocol: 17, InternalPort: 53, ExternalPort: 5353, VIP: '10.0.0.4', Flags: 1 },
        },
        { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1250000 } },
      ],
    ],
    [
      'Podman',
      { portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }] },
      [{ Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } }],
    ],
  ])('becomes port mapping and QOS policies with the keys of %s', (_, runtimeConfig, expected) => {
    expect(documentOf(withRuntime(runtimeConfig)).Policies?.slice(1)).toEqual(expected);
  });

  test.each([
    [
      'runtimeConfig',
      { ips: ['10.244.1.50/24'], mac: '02:11:22:33:44:55' },
      { CNI_ARGS: 'IP=10.244.1.60;MAC=02-00-00-00-00-01' },
      '10.244.1.50',
      '02-11-22-33-44-55',
    ],
    [
      'CNI_ARGS',
      { ips: null, mac: '' },
      { CNI_ARGS: 'IgnoreUnknown=1;IP=10.244.1.60;MAC=02-00-00-00-00-01' },
      '10.244.1.60',
      '02-00-00-00-00-01',
    ],
  ])(
    'sets addresses and the MAC address from %s if there is no IPAM plugin',
    (_, runtimeConfig, environment, IpAddress, MacAddress) => {
      const config = withRuntime(runtimeConfig, environment);
      expect(documentOf(config, requestedAddresses(config))).toMatchObject({
        IpConfigurations: [{ IpAddress, PrefixLength: 24 }],
        Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        MacAddress,
      });
    },
  );

  const mapping = (changes: object) => ({ portMappings: [{ hostPort: 80, containerPort: 80, ...changes }] });

  test.each([
    [{ portMappings: [{ hostPort: 80, containerPort: 80, hostIP: '0.0.0.0' }] }, { family: 'IPv4' }],
    [{ portMappings: [{ hostPort: 80, containerPort: 80, hostIP: '::' }] }, { family: 'IPv6' }],
    [{ portMappings: [{ hostPort: 80, containerPort: 80, hostIP: '::2' }] }, { hostIP: '::2' }],
    [{ portMappings: [{ hostPort: 80, containerPort: 80, hostIP: '' }] }, {}],
  ])(
    'maps a port on every address of a family for 0.0.0.0 and ::, and else on one: %j',
    (runtimeConfig, on) => {
      expect(withRuntime(runtimeConfig).portMappings).toEqual([
        { protocol: 'tcp', hostPort: 80, containerPort: 80, ...on },
      ]);
    },
  );

  test.each([
    [8, 1],
    [15, 1],
    [16, 2],
  ])('limits the bandwidth from 8 bits per second: %d bits are %d bytes', (egressRate, bytes) => {
    expect(withRuntime({ bandwidth: { egressRate } }).egressBytes).toBe(bytes);
  });

  test.each([
    [
      { bandwidth: { egressRate: 7 } },
      '/runtimeConfig/bandwidth/egressRate is 7, expected bits per second, at least 8',
      7,
    ],
    ...['00:00:00:00:00:00', '01:00:5e:00:00:01', 'ff:ff:ff:ff:ff:ff'].map(
      (mac): [object, string, number] => [
        { mac },
        `/runtimeConfig/mac is "${mac}", expected a unicast MAC address such as 02-11-0A-00-00-02`,
        7,
      ],
    ),
    [mapping({ hostPort: 0 }), '/runtimeConfig/portMappings/0/hostPort is 0', 7],
    [mapping({ containerPort: '80' }), '/runtimeConfig/portMappings/0/containerPort is "80"', 7],
    [mapping({ protocol: 'sctp' }), '/runtimeConfig/portMappings/0/protocol is "sctp"', 7],
    [mapping({ hostIP: 'x' }), '/runtimeConfig/portMappings/0/hostIP is "x"', 7],
    [{ portMappings: {} }, '/runtimeConfig/portMappings is {}', 7],
    [
      { bandwidth: { ingressRate: 8000 } },
      '/runtimeConfig/bandwidth/ingressRate is 8000, which is not supported',
      2,
    ],
    [{ bandwidth: { egressRate: -1 } }, '/runtimeConfig/bandwidth/egressRate is -1', 7],
    [{ mac: 'x' }, '/runtimeConfig/mac is "x"', 7],
    [{ ips: ['x'] }, '/runtimeConfig/ips is "x"', 7],
    [{ ipRanges: [[{ subnet: '10.0.0.0/24' }]] }, '/runtimeConfig/ipRanges is', 2],
    [{ dns: { servers: [5] } }, '/runtimeConfig/dns/servers is [5], expected a list of strings', 7],
  ])('%j is refused: %s', (runtimeConfig, message, code) => {
    expect(() => withRuntime(runtimeConfig)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});

describe('the policies', () => {
  const policiesOf = (changes: object) =>
    documentOf(example('overlay', { outboundNat: undefined, sdnRoutes: [], ...changes }), undefined, overlay)
      .Policies;
  const defaultAcl = (Action: string, Direction: string) => ({
    Type: 'ACL',
    Settings: { Priority: 65500, Action, Direction, RuleType: 'Switch' },
  });
  const ssh = { Type: 'ACL', Settings: { Action: 'Block', Direction: 'In', LocalPorts: '22' } };

  test.each([
    [
      'of outbound NAT separate exceptions and destinations',
      {
        outboundNat: { exceptions: ['10.0.0.0/8'], destinations: ['10.245.1.5'], virtualIP: '10.0.0.4' },
      },
      [
        { Type: 'OutBoundNAT', Settings: { VirtualIP: '10.0.0.4', Exceptions: ['10.0.0.0/8'] } },
        { Type: 'OutBoundNAT', Settings: { VirtualIP: '10.0.0.4', Destinations: ['10.245.1.5'] } },
      ],
    ],
    [
      'of an ACL encode lists as comma-separated strings',
      {
        acls: [
          {
            action: 'Allow',
            direction: 'Out',
            protocols: ['tcp', 'udp'],
            localAddresses: ['10.245.1.0/24', '10.0.0.1'],
            localPorts: [80, '8080-8090'],
          },
        ],
        defaultAction: 'Block',
      },
      [
        {
          Type: 'ACL',
          Settings: {
            Protocols: '6,17',
            LocalAddresses: '10.245.1.0/24,10.0.0.1',
            LocalPorts: '80,8080-8090',
            Priority: 1000,
            Action: 'Allow',
            Direction: 'Out',
            RuleType: 'Switch',
          },
        },
        defaultAcl('Block', 'In'),
        defaultAcl('Block', 'Out'),
      ],
    ],
    [
      "of ACLs in HCN's own form are followed by the default action",
      { endpointPolicies: [ssh], defaultAction: 'Allow' },
      [ssh, defaultAcl('Allow', 'In'), defaultAcl('Allow', 'Out')],
    ],
    [
      'of a default action alone are ACLs too',
      { defaultAction: 'Block' },
      [defaultAcl('Block', 'In'), defaultAcl('Block', 'Out')],
    ],
    [
      'of an SDN route contain the next hop if configured',
      {
        sdnRoutes: [
          { destinationPrefix: '10.96.0.0/12', needEncap: true },
          { destinationPrefix: '10.0.0.9', nextHop: '10.0.0.1' },
        ],
      },
      [
        { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
        {
          Type: 'SDNRoute',
          Settings: { DestinationPrefix: '10.0.0.9/32', NextHop: '10.0.0.1', NeedEncap: false },
        },
      ],
    ],
    [
      "of flannel's ipMasq are outbound NAT with the cluster network as an exception",
      { ipMasq: true, ipMasqNetwork: '10.244.0.0/16' },
      [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } }],
    ],
  ])('%s', (_, changes, expected) => {
    const provider = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };
    expect(policiesOf(changes)).toEqual([...expected, provider]);
  });

  test("in HCN's own form come last, and a ProviderAddress among them replaces win-hcn's", () => {
    const endpointPolicies = [
      { Type: 'L2Driver', Settings: {} },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.9' } },
    ];
    expect(policiesOf({ endpointPolicies })).toEqual(endpointPolicies);
  });
});
