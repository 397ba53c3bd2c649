import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointDocument } from '../../../src/plan/endpoint.ts';
import { requestedAddresses } from '../../../src/plan/endpoint-addresses.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

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

describe('the endpoint of the L2Bridge example', () => {
  test('is created with this document if HNS assigns the address', () => {
    expect(endpointDocument(example('l2bridge'), attachment, l2bridge, undefined)).toEqual({
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
});

describe('the endpoint of the Overlay example', () => {
  test('is created with this document if HNS assigns the address', () => {
    expect(
      endpointDocument(example('overlay'), { ...attachment, network: 'overlay' }, overlay, undefined),
    ).toEqual({
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
    });
  });

  test('is created with this document if an IPAM plugin assigns the address', () => {
    const config = example('overlay', { ipam: { type: 'host-local' }, macPrefix: '0E-2A' });
    const assignment = { ips: [{ address: '10.245.1.7/24', gateway: '10.245.1.1' }], routes: [], dns: {} };
    expect(endpointDocument(config, { ...attachment, network: 'overlay' }, overlay, assignment)).toEqual({
      ID: '8f3d2839-3a1f-5477-8179-8f48ec57b9ae',
      Name: 'c0ffee_overlay_eth0',
      HostComputeNetwork: overlay.ID,
      Policies: [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.245.0.0/16', '10.96.0.0/12'] } },
        { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ],
      IpConfigurations: [{ IpAddress: '10.245.1.7', PrefixLength: 24 }],
      Dns: { Search: ['svc.cluster.local'], ServerList: ['10.96.0.10'] },
      Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
      MacAddress: '0E-2A-0A-F5-01-07',
      SchemaVersion: { Major: 2, Minor: 0 },
    });
  });
});

describe('addresses from an IPAM plugin', () => {
  const ips = [{ address: '10.244.1.9/16', gateway: '10.244.0.1' }];

  test("get the subnet's prefix length and gateway", () => {
    expect(
      endpointDocument(example('l2bridge'), attachment, l2bridge, { ips, routes: [], dns: {} }),
    ).toMatchObject({
      IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
      Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
    });
  });

  test('come with routes through their own gateway or the default gateway', () => {
    const routes = [
      { dst: '0.0.0.0/0', gw: '10.244.1.254' },
      { dst: '10.96.0.0/12' },
      { dst: '192.168.0.0/16', gw: '10.244.1.3' },
    ];
    expect(
      endpointDocument(example('l2bridge'), attachment, l2bridge, { ips, routes, dns: {} }).Routes,
    ).toEqual([
      { NextHop: '10.244.1.254', DestinationPrefix: '0.0.0.0/0' },
      { NextHop: '10.244.1.1', DestinationPrefix: '10.96.0.0/12' },
      { NextHop: '10.244.1.3', DestinationPrefix: '192.168.0.0/16' },
    ]);
  });

  test('come with routes to networks, even if their destination has host bits', () => {
    const routes = [{ dst: '10.96.0.10/12' }];
    expect(
      endpointDocument(example('l2bridge'), attachment, l2bridge, { ips, routes, dns: {} }).Routes,
    ).toEqual([
      { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
      { NextHop: '10.244.1.1', DestinationPrefix: '10.96.0.0/12' },
    ]);
  });

  test('come with DNS settings for each member that the configuration does not set', () => {
    const dns = { nameservers: ['1.1.1.1'], domain: 'a.b', options: ['ndots:5'] };
    const hcnDns = { Domain: 'a.b', ServerList: ['1.1.1.1'], Options: ['ndots:5'] };
    const withoutDns = example('l2bridge', { dns: {} });
    expect(endpointDocument(withoutDns, attachment, l2bridge, { ips, routes: [], dns }).Dns).toEqual(hcnDns);
    expect(endpointDocument(example('l2bridge'), attachment, l2bridge, { ips, routes: [], dns }).Dns).toEqual(
      {
        Domain: 'a.b',
        Search: ['svc.cluster.local'],
        ServerList: ['10.96.0.10'],
        Options: ['ndots:5'],
      },
    );
  });

  test('outside the network are refused', () => {
    const outside = { ips: [{ address: '10.9.0.5/24' }], routes: [], dns: {} };
    expect(() => endpointDocument(example('l2bridge'), attachment, l2bridge, outside)).toThrow(
      expect.objectContaining({
        code: 7,
        message: 'address 10.9.0.5 is outside network "l2bridge"',
        details: 'subnets of the network: 10.244.1.0/24; correct them or the source of the address',
      }),
    );
  });
});

describe('addresses from HNS', () => {
  const through = (...gateways: readonly string[]) => {
    const config = example('l2bridge');
    const dropIn = { ...config, behavior: { ...dropInBehavior, gateways } };
    return endpointDocument(dropIn, attachment, l2bridge, undefined).Routes;
  };

  test("have the gateway of another plugin's configuration", () => {
    expect(through('10.244.1.7')).toEqual([{ NextHop: '10.244.1.7', DestinationPrefix: '0.0.0.0/0' }]);
  });

  test("have the network's own gateway if the configured gateway is not in the network", () => {
    expect(through('10.9.0.1')).toBeUndefined();
    expect(through('10.9.0.1', '10.244.1.7')).toEqual([
      { NextHop: '10.244.1.7', DestinationPrefix: '0.0.0.0/0' },
    ]);
  });
});

describe('the MAC address', () => {
  const withPrefix = { ipam: { type: 'host-local' }, macPrefix: '0E-2A' };
  const macOf = (changes: object, ...ips: readonly string[]) =>
    endpointDocument(example('l2bridge', { ...withPrefix, ...changes }), attachment, dualStack, {
      ips: ips.map((address) => ({ address })),
      routes: [],
      dns: {},
    }).MacAddress;

  test('is derived from the prefix and the IPv4 address', () => {
    expect(macOf({}, 'fd00:1::9/64', '10.244.1.9/24')).toBe('0E-2A-0A-F4-01-09');
  });

  test('is left to HNS without an IPv4 address', () => {
    expect(macOf({}, 'fd00:1::9/64')).toBeUndefined();
  });

  test('is the one that the runtime requests, even with a prefix', () => {
    expect(macOf({ runtimeConfig: { mac: '02:11:22:33:44:55' } }, '10.244.1.9/24')).toBe('02-11-22-33-44-55');
  });
});

test.each([
  [{ hostIP: 'fd00:1::4' }, 'host port 8080 is mapped on fd00:1::4, but the endpoint has only IPv4'],
  [{ hostIP: '10.0.0.4' }, 'host port 8080 is mapped on 10.0.0.4, but the endpoint has only IPv6'],
])('a port mapping with %j is refused: %s', (changes, message) => {
  const portMappings = [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', ...changes }];
  const address = message.endsWith('IPv4') ? '10.244.1.9/24' : 'fd00:1::9/64';
  const assignment = { ips: [{ address }], routes: [], dns: {} };
  const config = example('l2bridge', { runtimeConfig: { portMappings } });
  expect(() => endpointDocument(config, attachment, dualStack, assignment)).toThrow(
    expect.objectContaining({ code: 7, message }),
  );
});

describe('a capability from the runtime', () => {
  const withRuntime = (runtimeConfig: object, environment = {}) => {
    const { plugins, ...list } = JSON.parse(readFileSync('conflist-examples/l2bridge.conflist', 'utf8'));
    const { acls: _, defaultAction: __, ...plugin } = plugins[0];
    const config = { ...plugin, name: list.name, sdnRoutes: [], runtimeConfig };
    return readNetworkConfig(config, environment);
  };

  test('becomes port mapping and QOS policies, with the keys of containerd or Podman', () => {
    const containerd = {
      portMappings: [
        { HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' },
        { HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' },
        { HostPort: 5353, ContainerPort: 53, Protocol: 'UDP', HostIP: '10.0.0.4' },
      ],
      bandwidth: { IngressRate: 0, IngressBurst: 4294967295, EgressRate: 10000000, EgressBurst: 4294967295 },
    };
    const { Policies } = endpointDocument(withRuntime(containerd), attachment, l2bridge, undefined);
    expect(Policies?.slice(1)).toEqual([
      { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
      {
        Type: 'PortMapping',
        Settings: { Protocol: 17, InternalPort: 53, ExternalPort: 5353, VIP: '10.0.0.4', Flags: 1 },
      },
      { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1250000 } },
    ]);
    const podman = { portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }] };
    expect(endpointDocument(withRuntime(podman), attachment, l2bridge, undefined).Policies?.slice(1)).toEqual(
      [{ Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } }],
    );
  });

  test.each([
    [
      'runtimeConfig',
      { ips: ['10.244.1.50/24'], mac: '02:11:22:33:44:55' },
      { CNI_ARGS: 'IP=10.244.1.60;MAC=02-00-00-00-00-01' },
      '50',
      '02-11-22-33-44-55',
    ],
    [
      'CNI_ARGS',
      { ips: null, mac: '' },
      { CNI_ARGS: 'IgnoreUnknown=1;IP=10.244.1.60;MAC=02-00-00-00-00-01' },
      '60',
      '02-00-00-00-00-01',
    ],
  ])(
    'sets addresses and the MAC address from %s if there is no IPAM plugin',
    (_, runtimeConfig, environment, host, mac) => {
      const config = withRuntime(runtimeConfig, environment);
      expect(endpointDocument(config, attachment, l2bridge, requestedAddresses(config))).toMatchObject({
        IpConfigurations: [{ IpAddress: `10.244.1.${host}`, PrefixLength: 24 }],
        Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        MacAddress: mac,
      });
    },
  );

  test.each([
    [
      { portMappings: [{ hostPort: 0, containerPort: 80 }] },
      '/runtimeConfig/portMappings/0/hostPort is 0',
      7,
    ],
    [
      { portMappings: [{ hostPort: 80, containerPort: '80' }] },
      '/runtimeConfig/portMappings/0/containerPort is "80"',
      7,
    ],
    [
      { portMappings: [{ hostPort: 80, containerPort: 80, protocol: 'sctp' }] },
      '/runtimeConfig/portMappings/0/protocol is "sctp"',
      7,
    ],
    [
      { portMappings: [{ hostPort: 80, containerPort: 80, hostIP: 'x' }] },
      '/runtimeConfig/portMappings/0/hostIP is "x"',
      7,
    ],
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

describe('policies', () => {
  const policiesOf = (changes: object) =>
    endpointDocument(
      example('overlay', { outboundNat: undefined, sdnRoutes: [], ...changes }),
      attachment,
      overlay,
      undefined,
    ).Policies;
  const provider = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };

  test('of outbound NAT separate exceptions and destinations', () => {
    const outboundNat = { exceptions: ['10.0.0.0/8'], destinations: ['10.245.1.5'], virtualIP: '10.0.0.4' };
    expect(policiesOf({ outboundNat })).toEqual([
      { Type: 'OutBoundNAT', Settings: { VirtualIP: '10.0.0.4', Exceptions: ['10.0.0.0/8'] } },
      { Type: 'OutBoundNAT', Settings: { VirtualIP: '10.0.0.4', Destinations: ['10.245.1.5'] } },
      provider,
    ]);
  });

  test('of an ACL encode lists as comma-separated strings', () => {
    const acl = {
      action: 'Allow',
      direction: 'Out',
      protocols: ['tcp', 'udp'],
      localAddresses: ['10.245.1.0/24', '10.0.0.1'],
      localPorts: [80, '8080-8090'],
    };
    expect(policiesOf({ acls: [acl], defaultAction: 'Block' })).toEqual([
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
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'In', RuleType: 'Switch' } },
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'Out', RuleType: 'Switch' } },
      provider,
    ]);
  });

  test("of ACLs in HCN's own form are followed by the default action", () => {
    const given = { Type: 'ACL', Settings: { Action: 'Block', Direction: 'In', LocalPorts: '22' } };
    expect(policiesOf({ endpointPolicies: [given], defaultAction: 'Allow' })).toEqual([
      given,
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Allow', Direction: 'In', RuleType: 'Switch' } },
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Allow', Direction: 'Out', RuleType: 'Switch' } },
      provider,
    ]);
  });

  test('of a default action alone are ACLs too', () => {
    expect(policiesOf({ defaultAction: 'Block' })).toEqual([
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'In', RuleType: 'Switch' } },
      { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'Out', RuleType: 'Switch' } },
      provider,
    ]);
  });

  test('of an SDN route contain the next hop if configured', () => {
    const sdnRoutes = [
      { destinationPrefix: '10.96.0.0/12', needEncap: true },
      { destinationPrefix: '10.0.0.9', nextHop: '10.0.0.1' },
    ];
    expect(policiesOf({ sdnRoutes })).toEqual([
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
      {
        Type: 'SDNRoute',
        Settings: { DestinationPrefix: '10.0.0.9/32', NextHop: '10.0.0.1', NeedEncap: false },
      },
      provider,
    ]);
  });

  test("of flannel's ipMasq are outbound NAT with the cluster network as an exception", () => {
    expect(policiesOf({ ipMasq: true, ipMasqNetwork: '10.244.0.0/16' })).toEqual([
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16'] } },
      provider,
    ]);
  });

  test("in HCN's own form come last, and a ProviderAddress among them replaces win-hcn's", () => {
    const endpointPolicies = [
      { Type: 'L2Driver', Settings: {} },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.9' } },
    ];
    expect(policiesOf({ endpointPolicies })).toEqual(endpointPolicies);
  });
});
