import { describe, expect, test } from 'vitest';
import { defaultBehavior } from '../../../src/config/behavior.ts';
import { readIpamType, readName, readTimeout } from '../../../src/config/essential-keys.ts';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig as readNormalized } from '../../../src/config/read-config.ts';

const readNetworkConfig = (json: object, environment = {}) =>
  readNormalized(normalizeConfig({ ...json }), environment);

const l2bridge = {
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};
const overlay = {
  ...l2bridge,
  name: 'overlay',
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};

describe('a network configuration', () => {
  test('has defaults for all keys but name, networkType and subnets', () => {
    expect(readNetworkConfig(l2bridge)).toEqual({
      name: 'l2bridge',
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      adapter: undefined,
      subnets: [{ prefix: '10.244.1.0/24' }],
      networkFlags: [],
      macPool: [],
      hostEndpoint: undefined,
      remoteSubnets: [],
      sourceVip: false,
      dns: {},
      ignoredDns: [],
      mtu: undefined,
      macPrefix: undefined,
      acls: [],
      defaultAction: undefined,
      outboundNat: undefined,
      loopbackDSR: false,
      portMapping: { localRoutedVip: true, allowAcl: false },
      sdnRoutes: [],
      endpointPolicies: [],
      networkPolicies: [],
      prevResult: undefined,
      portMappings: [],
      egressBytes: undefined,
      macAddress: undefined,
      addresses: [],
      behavior: defaultBehavior,
    });
  });

  test('is read with all keys', () => {
    const config = {
      ...overlay,
      createNetwork: 'never',
      adapter: 'Ethernet 2',
      subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.2', vsid: 5000 }],
      networkFlags: ['EnableNonPersistent'],
      sourceVip: true,
      macPool: [{ start: '00:15:5d:52:c0:00', end: '00-15-5D-52-CF-FF' }],
      ipam: { type: 'host-local', ranges: [] },
      dns: { nameservers: ['10.96.0.10'], domain: 'pod.local', search: ['a.b'], options: ['ndots:5'] },
      mtu: 1400,
      macPrefix: '0e-2a',
      acls: [
        { action: 'Block', direction: 'In' },
        {
          action: 'Allow',
          direction: 'Out',
          protocols: ['tcp', 17],
          localAddresses: ['10.244.1.7/24'],
          remoteAddresses: ['::ffff:10.0.0.1', 'FD00::/8'],
          localPorts: [80, '8080-8090'],
          remotePorts: ['53'],
          priority: 100,
          ruleType: 'Host',
        },
      ],
      defaultAction: 'Block',
      outboundNat: {
        exceptions: ['10.244.0.9/16'],
        destinations: ['10.244.1.5'],
        virtualIP: '10.0.0.4',
        maxPortPoolUsage: 512,
      },
      loopbackDSR: true,
      portMapping: { localRoutedVip: true, allowAcl: true },
      sdnRoutes: [{ destinationPrefix: '10.96.0.1/12', nextHop: '10.0.0.1', needEncap: true }],
      endpointPolicies: [{ Type: 'L2Driver' }],
      networkPolicies: [{ Type: 'HostRoute', Settings: {} }],
      hcnTimeoutSeconds: 5,
      capabilities: { dns: true },
      args: { cni: { labels: [] } },
      'cni.dev/attachments': [],
    };
    expect(readNetworkConfig(config)).toEqual({
      name: 'overlay',
      networkType: 'Overlay',
      createNetwork: 'never',
      adapter: 'Ethernet 2',
      subnets: [{ prefix: '10.244.1.0/24', gateway: '10.244.1.2', vsid: 5000 }],
      networkFlags: ['EnableNonPersistent'],
      macPool: [{ start: '00-15-5D-52-C0-00', end: '00-15-5D-52-CF-FF' }],
      hostEndpoint: undefined,
      remoteSubnets: [],
      sourceVip: true,
      dns: { nameservers: ['10.96.0.10'], domain: 'pod.local', search: ['a.b'], options: ['ndots:5'] },
      ignoredDns: [],
      mtu: 1400,
      macPrefix: '0E-2A',
      acls: [
        { action: 'Block', direction: 'In', priority: 1000, ruleType: 'Switch' },
        {
          action: 'Allow',
          direction: 'Out',
          protocols: [6, 17],
          localAddresses: ['10.244.1.0/24'],
          remoteAddresses: ['10.0.0.1', 'fd00::/8'],
          localPorts: ['80', '8080-8090'],
          remotePorts: ['53'],
          priority: 100,
          ruleType: 'Host',
        },
      ],
      defaultAction: 'Block',
      outboundNat: {
        exceptions: ['10.244.0.0/16'],
        destinations: ['10.244.1.5'],
        virtualIP: '10.0.0.4',
        maxPortPoolUsage: 512,
      },
      loopbackDSR: true,
      portMapping: { localRoutedVip: true, allowAcl: true },
      sdnRoutes: [{ destinationPrefix: '10.96.0.0/12', nextHop: '10.0.0.1', needEncap: true }],
      endpointPolicies: [{ Type: 'L2Driver', Settings: {} }],
      networkPolicies: [{ Type: 'HostRoute', Settings: {} }],
      prevResult: undefined,
      portMappings: [],
      egressBytes: undefined,
      macAddress: undefined,
      addresses: [],
      behavior: defaultBehavior,
    });
  });

  test('lets HNS assign addresses with an empty ipam.type', () => {
    expect(readIpamType({ ...l2bridge, ipam: { type: '' } })).toBeUndefined();
    expect(readIpamType({ ...l2bridge, ipam: { type: 'host-local' } })).toBe('host-local');
  });

  test("takes the runtime's DNS lists that are not empty, in any case", () => {
    const dns = { nameservers: ['10.96.0.10'], search: ['a.b'], options: ['ndots:1'] };
    const runtimeConfig = { dns: { Servers: ['10.0.0.53'], searches: [], Options: null } };
    expect(readNetworkConfig({ ...l2bridge, dns, runtimeConfig }).dns).toEqual({
      ...dns,
      nameservers: ['10.0.0.53'],
    });
  });

  test('ignores annotations, null and zero values of the runtime', () => {
    const runtimeConfig = {
      'io.kubernetes.cri.pod-annotations': { a: 'b' },
      portMappings: null,
      bandwidth: { IngressRate: 0, EgressRate: 0 },
    };
    expect(readNetworkConfig({ ...l2bridge, runtimeConfig }).name).toBe('l2bridge');
  });

  test.each([
    ['0.0.0.0', { family: 'IPv4' }],
    ['::', { family: 'IPv6' }],
    ['10.0.0.4', { hostIP: '10.0.0.4' }],
    ['FD00::4', { hostIP: 'fd00::4' }],
    ['', {}],
  ])('maps a host port on %j to %j', (hostIP, expected) => {
    const portMappings = [{ hostPort: 8080, containerPort: 80, protocol: 'UDP', hostIP }];
    expect(readNetworkConfig({ ...l2bridge, runtimeConfig: { portMappings } }).portMappings).toEqual([
      { protocol: 'udp', hostPort: 8080, containerPort: 80, ...expected },
    ]);
  });

  test.each([
    [8, 1],
    [15, 1],
    [16, 2],
    [0, undefined],
    [null, undefined],
  ])('limits outgoing traffic of %j bits per second to %j bytes', (egressRate, bytes) => {
    const runtimeConfig = { bandwidth: { egressRate, ingressRate: null } };
    expect(readNetworkConfig({ ...l2bridge, runtimeConfig }).egressBytes).toBe(bytes);
  });

  test('defaults macPrefix to 0E-2A on an Overlay network with an IPAM plugin', () => {
    const ipam = { type: 'host-local' };
    expect(readNetworkConfig({ ...overlay, ipam }).macPrefix).toBe('0E-2A');
    expect(readNetworkConfig(overlay).macPrefix).toBeUndefined();
    expect(readNetworkConfig({ ...l2bridge, ipam }).macPrefix).toBeUndefined();
  });

  test('can have a pool of one MAC address, a subnet of two hosts, and adapters of other networks', () => {
    const macPool = [{ start: '00-15-5D-52-C0-00', end: '00:15:5d:52:c0:00' }];
    const changes = { macPool, subnets: [{ subnet: '10.244.1.4/30', gateway: '10.244.1.5' }] };
    expect(
      readNetworkConfig({ ...l2bridge, ...changes, hostEndpoint: { address: '10.244.1.6' } }),
    ).toMatchObject({
      macPool: [{ start: '00-15-5D-52-C0-00', end: '00-15-5D-52-C0-00' }],
      subnets: [{ prefix: '10.244.1.4/30', gateway: '10.244.1.5' }],
      hostEndpoint: { address: '10.244.1.6' },
    });
  });

  test('has the flag LocalRoutedVip by default where the node is beside its pods', () => {
    const vipOf = (networkType: string) =>
      readNetworkConfig({ ...l2bridge, networkType }).portMapping.localRoutedVip;
    expect(['L2Bridge', 'L2Tunnel', 'Transparent', 'NAT', 'Internal'].filter(vipOf)).toEqual([
      'L2Bridge',
      'L2Tunnel',
    ]);
  });

  test('has no exceptions and destinations of outbound NAT by default', () => {
    expect(readNetworkConfig({ ...l2bridge, outboundNat: {} }).outboundNat).toEqual({
      exceptions: [],
      destinations: [],
    });
    expect(readNetworkConfig({ ...l2bridge, ipMasqNetwork: '10.0.0.0/8' }).outboundNat).toBeUndefined();
  });

  test('lets HNS choose the subnets of NAT and ICS networks', () => {
    const { subnets: _, ...config } = l2bridge;
    expect(readNetworkConfig({ ...config, networkType: 'NAT' }).subnets).toEqual([]);
    expect(readNetworkConfig({ ...config, networkType: 'ICS' }).subnets).toEqual([]);
  });
});

describe('an invalid configuration is refused with the path, the given and the expected value', () => {
  test.each<[changes: object, message: string, code?: number]>([
    [
      { runtimeConfig: { bandwidth: { egressRate: 7 } } },
      '/runtimeConfig/bandwidth/egressRate is 7, expected bits per second, at least 8',
    ],
    [{ capabilities: { mac: 'yes' } }, '/capabilities/mac is "yes", expected true or false'],
    [{ subnetz: [1] }, '/subnetz is an unknown key (value: [1]), did you mean "subnets"?', 2],
    [{ NetworkTyp: 1 }, '/NetworkTyp is an unknown key (value: 1), did you mean "networkType"?', 2],
    [{ colour: 'red' }, '/colour is an unknown key (value: "red")', 2],
    [
      { acls: [{ action: 'Allow', direction: 'In', localPort: 80 }] },
      '/acls/0/localPort is an unknown key (value: 80), did you mean "localPorts"?',
      2,
    ],
    [
      { networkType: undefined },
      '/networkType is missing, expected "L2Bridge", "L2Tunnel", "Overlay", "Transparent", "NAT", "ICS", "Internal" or "Private"',
    ],
    [{ networkType: 'Bridge' }, '/networkType is "Bridge", expected "L2Bridge", "L2Tunnel"'],
    [
      { networkType: 'NAT', adapter: 'Ethernet' },
      '/adapter is "Ethernet", expected none: network type NAT does not support it',
    ],
    [{ networkType: 'NAT', mtu: 1400 }, '/mtu is 1400, expected none: network type NAT does not support it'],
    [{ mtu: 100 }, '/mtu is 100, expected an integer from 576 to 65535'],
    [{ sourceVip: true }, '/sourceVip is true, expected none: network type L2Bridge does not support it'],
    [
      { ...overlay, hostEndpoint: {} },
      '/hostEndpoint is {}, expected none: network type Overlay does not support it',
    ],
    [
      { hostEndpoint: { address: '10.244.2.2' } },
      '/hostEndpoint/address is "10.244.2.2", expected an IPv4 address in one of the subnets',
    ],
    [
      {
        subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.2' }],
        hostEndpoint: { address: '10.244.1.2' },
      },
      '/hostEndpoint/address is "10.244.1.2", expected an address other than the subnet\'s gateway, which HNS reserves',
    ],
    [
      { networkFlags: ['Persistent'] },
      '/networkFlags/0 is "Persistent", expected "EnableDnsProxy", "EnableDhcpServer"',
    ],
    [
      { macPool: [{ start: '00-15-5D-52-CF-FF', end: '00-15-5D-52-C0-00' }] },
      '/macPool/0 is {"start":"00-15-5D-52-CF-FF","end":"00-15-5D-52-C0-00"}, expected a start that is not above the end',
    ],
    [
      { macPool: [{ start: '00155D52C000', end: '00-15-5D-52-CF-FF' }] },
      '/macPool/0/start is "00155D52C000", expected a MAC address such as 00-15-5D-52-C0-00',
    ],
    [
      { ...overlay, subnets: [{ subnet: '10.0.0.0/24', vsid: 4096, vlan: 5 }] },
      '/subnets/0/vlan is 5, expected none: network type Overlay does not support it',
    ],
    [
      { subnets: [{ subnet: '10.0.0.0/24', vlan: 4095 }] },
      '/subnets/0/vlan is 4095, expected an integer from 1 to 4094',
    ],
    [
      { acls: [{ action: 'Block', direction: 'In', priority: 65500 }] },
      '/acls/0/priority is 65500, expected an integer from 1 to 65499',
    ],
    [
      { acls: [{ action: 'Allow', direction: 'In', remoteAddresses: ['x'] }] },
      '/acls/0/remoteAddresses/0 is "x", expected an IP address or a prefix',
    ],
    [
      { acls: [{ action: 'Allow', direction: 'In', remotePorts: ['90-80'] }] },
      '/acls/0/remotePorts/0 is "90-80", expected ports from 1 to 65535, lower port first',
    ],
    [{ ipMasq: true, ipMasqNetwork: 'x' }, '/ipMasqNetwork is "x", expected an IP address or a prefix'],
    [{ outboundNat: { destinations: ['x'] } }, '/outboundNat/destinations/0 is "x", expected an IP address'],
    [
      { sdnRoutes: [{ destinationPrefix: 'x' }] },
      '/sdnRoutes/0/destinationPrefix is "x", expected an IP address or a prefix',
    ],
    [
      { sdnRoutes: [{ destinationPrefix: '10.0.0.0/8', nextHop: 'x' }] },
      '/sdnRoutes/0/nextHop is "x", expected an IP address',
    ],
    [
      {
        adapter: 'Ethernet',
        networkPolicies: [
          { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
          { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
        ],
      },
      '/adapter is "Ethernet", expected no adapter with the network policy ProviderAddress',
    ],
    [
      { subnets: [{ subnet: '10.1.0.0/16' }, { subnet: '10.2.0.0/16' }, { subnet: '10.1.2.0/24' }] },
      '/subnets/2/subnet is "10.1.2.0/24", expected a subnet that does not overlap 10.1.0.0/16',
    ],
    [
      { hostEndpoint: { address: 'fd00::2' }, subnets: [{ subnet: 'fd00::/64' }] },
      '/hostEndpoint/address is "fd00::2", expected an IPv4 address in one of the subnets',
    ],
    [
      { subnets: [{ subnet: '10.0.0.0/24', gateway: '10.0.0.0' }] },
      '/subnets/0/gateway is "10.0.0.0", expected a host address in 10.0.0.0/24',
    ],
    [
      { subnets: [{ subnet: '10.0.0.0/24', gateway: 'x' }] },
      '/subnets/0/gateway is "x", expected a host address in 10.0.0.0/24',
    ],
    [
      { subnets: [{ subnet: '10.0.0.4/31' }] },
      '/subnets/0/subnet is "10.0.0.4/31", expected a larger subnet, with host addresses',
    ],
    [
      { subnets: [{ subnet: 'fd00::4/127' }] },
      '/subnets/0/subnet is "fd00::4/127", expected a larger subnet, with host addresses',
    ],
    [{ createNetwork: true }, '/createNetwork is true, expected "ifMissing" or "never"'],
    [
      { adapter: '' },
      '/adapter is "", expected a network adapter by name, index, MAC address, IP address or prefix, such as Ethernet',
    ],
    [{ subnets: undefined }, '/subnets is missing, expected at least one subnet of the network to create'],
    [{ subnets: [] }, '/subnets is [], expected a list with at least one item'],
    [{ subnets: {} }, '/subnets is {}, expected a list'],
    [{ subnets: [{}] }, '/subnets/0/subnet is missing, expected a subnet such as 10.244.1.0/24'],
    [
      { subnets: [{ subnet: '10.0.0.1/32' }] },
      '/subnets/0/subnet is "10.0.0.1/32", expected a larger subnet, with host addresses',
    ],
    [{ subnets: [{ subnet: '10.0.0.1' }] }, '/subnets/0/subnet is "10.0.0.1", expected a subnet such as'],
    [
      { subnets: [{ subnet: '10.0.0.9/24' }] },
      '/subnets/0/subnet is "10.0.0.9/24", expected 10.0.0.0/24, without host bits',
    ],
    [
      { subnets: [{ subnet: '10.0.0.0/24', gateway: '10.0.1.1' }] },
      '/subnets/0/gateway is "10.0.1.1", expected a host address in 10.0.0.0/24',
    ],
    [
      { subnets: [{ subnet: '10.0.0.0/24', vsid: 4096 }] },
      '/subnets/0/vsid is 4096, expected none: network type L2Bridge does not support it',
    ],
    [
      { ...overlay, subnets: [{ subnet: '10.0.0.0/24', vsid: 4095 }] },
      '/subnets/0/vsid is 4095, expected an integer from 4096 to 16777214',
    ],
    [
      { ...overlay, subnets: [{ subnet: '10.0.0.0/24', vsid: 16777215 }] },
      '/subnets/0/vsid is 16777215, expected an integer from 4096 to 16777214',
    ],
    [
      { ...overlay, subnets: [{ subnet: '10.0.0.0/24' }] },
      '/subnets/0/vsid is missing, expected a virtual subnet ID from 4096 to 16777214',
    ],
    [{ ipam: 'host-local' }, '/ipam is "host-local", expected an object'],
    [{ ipam: { type: '../x' } }, '/ipam/type is "../x", expected the name of an IPAM plugin'],
    [
      { macPrefix: '0E-2A' },
      '/macPrefix is "0E-2A", expected no value without an IPAM plugin: set ipam.type, or remove this key',
    ],
    [
      { macPrefix: '0E-2A', ipam: { type: '' } },
      '/macPrefix is "0E-2A", expected no value without an IPAM plugin: set ipam.type, or remove this key',
    ],
    [
      { portmappings: true },
      '/portmappings is an unknown key (value: true), set capabilities.portMappings to true instead: the runtime then passes the values',
      2,
    ],
    [
      { ...overlay, subnets: [{ subnet: '10.0.0.0/24', vsid: '4096' }] },
      '/subnets/0/vsid is "4096", expected an integer from 4096 to 16777214: remove the quotes',
    ],
    [{ ipMasq: 'true' }, '/ipMasq is "true", expected true or false: remove the quotes'],
    [
      { ipam: { type: 'x' }, macPrefix: '01-00' },
      '/macPrefix is "01-00", expected two octets of a unicast MAC address, such as 0E-2A',
    ],
    [{ dns: { nameservers: 'x' } }, '/dns/nameservers is "x", expected a list'],
    [{ dns: { nameservers: ['x'] } }, '/dns/nameservers/0 is "x", expected an IP address'],
    [{ acls: [{ action: 'Allow' }] }, '/acls/0/direction is missing, expected "In" or "Out"'],
    [
      { acls: [{ action: 'Allow', direction: 'In', protocols: ['sctp'] }] },
      '/acls/0/protocols/0 is "sctp", expected icmpv4, igmp, tcp, udp, icmpv6 or a protocol number from 0 to 256',
    ],
    [
      { acls: [{ action: 'Allow', direction: 'In', localAddresses: ['Any'] }] },
      '/acls/0/localAddresses/0 is "Any", expected an IP address or a prefix',
    ],
    [
      { acls: [{ action: 'Allow', direction: 'In', localPorts: ['90-80'] }] },
      '/acls/0/localPorts/0 is "90-80", expected ports from 1 to 65535, lower port first',
    ],
    [{ outboundNat: true }, '/outboundNat is true, expected an object'],
    [{ outboundNat: { exceptions: ['x'] } }, '/outboundNat/exceptions/0 is "x", expected an IP address'],
    [{ outboundNat: { virtualIP: 'x' } }, '/outboundNat/virtualIP is "x", expected an IP address'],
    [{ sdnRoutes: [{}] }, '/sdnRoutes/0/destinationPrefix is missing, expected an IP address or a prefix'],
    [{ endpointPolicies: [{}] }, '/endpointPolicies/0/Type is missing, expected an HCN policy type'],
    [{ hcnTimeoutSeconds: 0 }, '/hcnTimeoutSeconds is 0, expected an integer from 1 to 120'],
    [{ name: undefined }, 'missing network name'],
    [{ name: '' }, 'missing network name'],
    [{ name: '../x' }, 'invalid characters found in network name "../x"'],
    [{ name: 1 }, '/name is 1, expected a string', 6],
    [
      {
        runtimeConfig: { portMappings: [{ hostPort: 80, containerPort: 80, protocol: { toString: false } }] },
      },
      '/runtimeConfig/portMappings/0/protocol is {"toString":false}, expected "tcp" or "udp"',
    ],
    [
      { runtimeConfig: { PortMappings: [{ HostPort: 80 }] } },
      '/runtimeConfig/portMappings/0/containerPort is missing, expected a port from 1 to 65535',
    ],
  ])('%j: %s', (changes, message, code = 7) => {
    const json = JSON.parse(JSON.stringify({ defaultAction: 'Allow', ...l2bridge, ...changes }));
    expect(() => readNetworkConfig(json)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  test.each([
    [{ acls: [{ action: 'Block', direction: 'In' }] }],
    [{ endpointPolicies: [{ Type: 'ACL', Settings: { Action: 'Block', Direction: 'In' } }] }],
    [{ portMapping: { allowAcl: true } }],
  ])('%j requires defaultAction', (acls) => {
    expect(() => readNetworkConfig({ ...l2bridge, ...acls })).toThrow(
      '/defaultAction is missing, expected "Allow" or "Block" for traffic that no ACL rule matches; HNS would block it',
    );
  });

  test('the host endpoint is compared with each subnet around it', () => {
    const subnets = [{ subnet: '10.244.0.0/16', gateway: '10.244.1.2' }, { subnet: '10.244.1.0/24' }];
    expect(() =>
      readNetworkConfig({ ...l2bridge, subnets, hostEndpoint: { address: '10.244.1.2' } }),
    ).toThrow(
      expect.objectContaining({
        details:
          '/hostEndpoint/address is "10.244.1.2", expected an address other than the subnet\'s gateway, which HNS reserves',
      }),
    );
  });

  test('the details list all further problems', () => {
    expect(() => readNetworkConfig({ ...l2bridge, colour: 'red', adapter: 1 })).toThrow(
      expect.objectContaining({
        details:
          '/adapter is 1, expected a network adapter by name, index, MAC address, IP address or prefix, such as Ethernet',
      }),
    );
  });
});

test('a previous result and CNI_ARGS are part of the configuration', () => {
  const prevResult = { ips: [{ address: '10.244.1.9/24' }] };
  const config = readNetworkConfig({ ...l2bridge, prevResult }, { CNI_ARGS: 'IP=10.244.1.7' });
  expect(config.prevResult).toEqual({
    interfaces: [],
    ips: [{ address: '10.244.1.9/24' }],
    routes: [],
    dns: {},
  });
  expect(config.addresses).toEqual(['10.244.1.7']);
  expect(readNetworkConfig({ ...l2bridge, prevResult: null }).prevResult).toBeUndefined();
  expect(() => readNetworkConfig({ ...l2bridge, prevResult: { ips: {} } })).toThrow(
    'prevResult.ips is {}, expected a list',
  );
});

test('DEL reads its keys from a configuration that ADD refuses', () => {
  const config = normalizeConfig({
    Name: 'l2bridge',
    colour: 'red',
    networkType: 'Bridge',
    subnets: [{ vsid: 1 }],
    IPAM: { type: 'x' },
  });
  expect([readName(config), readIpamType(config), readTimeout(config)]).toEqual(['l2bridge', 'x', 30]);
  expect(readTimeout({ hcnTimeoutSeconds: 5 })).toBe(5);
});
