import { describe, expect, test } from 'vitest';
import { openConfig, pluginName } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

type Json = Readonly<Record<string, unknown>>;

function read(config: Json, executable = 'win-hcn.exe') {
  const opened = openConfig(config, executable, '');
  return { ...readNetworkConfig(opened.json, {}, opened), ignored: opened.ignored };
}
const policies = (...values: readonly unknown[]) =>
  values.map((value) => ({ name: 'EndpointPolicy', value }));
const bridge = { name: 'cbr0', type: 'win-bridge' };
const nat = { name: 'nat', type: 'nat' };

describe('the dialect is selected', () => {
  test.each([
    ['win-bridge', 'L2Bridge'],
    ['WIN-OVERLAY.EXE', 'Overlay'],
    ['sdnbridge.exe', 'L2Bridge'],
    ['SdnOverlay', 'Overlay'],
    ['NAT', 'NAT'],
    ['l2tunnel', 'L2Tunnel'],
    ['transparent.exe', 'Transparent'],
  ])('by the type %s', (type, networkType) => {
    expect(read({ name: 'x', type })).toMatchObject({ networkType });
  });

  test.each([
    ['C:\\cni\\bin\\win-bridge.exe', 'L2Bridge'],
    ['/opt/cni/bin/nat', 'NAT'],
  ])('by the executable %s', (executable, networkType) => {
    expect(read({ name: 'x', type: 'renamed', networkType: null }, executable)).toMatchObject({
      networkType,
    });
  });

  test.each([
    ['nat', 'win-bridge.exe', 'NAT'],
    ['win-bridge', 'C:\\cni\\nat.exe', 'L2Bridge'],
    ['other', 'nat', 'NAT'],
    [7, 'nat', 'NAT'],
    ['nat.exe.old', 'win-hcn.exe', undefined],
  ])('by the type %j before the executable %s', (type, executable, networkType) => {
    expect(openConfig({ name: 'x', type }, executable, '').json['networkType']).toBe(networkType);
  });

  test.each([
    ['nat', 'NAT', []],
    ['Nat', 'NAT', []],
    ['L2TUNNEL', 'L2Tunnel', ['10.0.0.1']],
  ])('wincni, with the network %s of type %s, has the gateways %j', (name, networkType, gateways) => {
    const opened = openConfig(
      { name, type: 'wincni', ipam: { routes: [{ gw: '10.0.0.1' }] } },
      'win-hcn.exe',
      '',
    );
    expect([opened.json['networkType'], opened.behavior.gateways]).toEqual([networkType, gateways]);
  });

  test.each(['wincni', 'wincni.exe'])(
    'by the type %s, with the network type from the network name',
    (type) => {
      expect(read({ name: 'l2tunnel', type })).toMatchObject({ networkType: 'L2Tunnel' });
      expect(() => read({ Name: 'cbr0', type })).toThrow(/: \/Name is "cbr0", expected "L2Bridge", /);
    },
  );
});

test.each([
  ['C:\\cni\\bin\\Win-Bridge.EXE', 'win-bridge'],
  ['/opt/cni/bin/nat', 'nat'],
  ['a.exe.b', 'a.exe.b'],
  ['', ''],
])('the plugin of %s is %s', (path, name) => {
  expect(pluginName(path)).toBe(name);
});

test.each([{}, { apiVersion: 1 }, { apiVersion: 2 }])('%j has no effect', (version) => {
  expect(read({ ...bridge, ...version })).toEqual(read(bridge));
});

test.each(['', undefined, null])('with the IPAM plugin %j, HNS assigns addresses', (type) => {
  const config = { ...nat, ipam: { type, subnet: '10.4.0.9/24', routes: [{ gateway: '10.4.0.1' }] } };
  expect(read(config)).toMatchObject({ subnets: [{ prefix: '10.4.0.0/24', gateway: '10.4.0.1' }] });
});

test.each(['GW', 'gw', 'gateway', 'Gateway'])("a route's gateway can have the key %s", (key) => {
  const ipam = { subnet: '10.4.0.0/24', routes: [{ [key]: '10.4.0.7' }] };
  const config = { ...nat, type: 'sdnbridge', ipam };
  expect(read(config).behavior.gateways).toEqual(['10.4.0.7']);
});

describe('policies are translated', () => {
  test.each(['win-bridge', 'sdnbridge'])('from policies and AdditionalArgs, with the type %s', (type) => {
    const route = (prefix: string) => ({ Type: 'SDNROUTE', Settings: { destinationprefix: prefix } });
    const config = {
      name: 'cbr0',
      type,
      Policies: [{ NAME: 'endpointpolicy', VALUE: route('10.0.0.0/8') }],
      additionalargs: [{ Name: 'EndpointPolicy', value: route('10.0.0.1') }],
    };
    expect(read(config).endpointPolicies).toEqual([
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.0.0.0/8' } },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.0.0.1/32' } },
    ]);
  });

  test.each([
    [
      { Type: 'OutBoundNAT', ExceptionList: ['10.0.0.0/8'], VIP: '1.2.3.4' },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'], VirtualIP: '1.2.3.4' } },
    ],
    [
      { type: 'outboundnat', settings: { exceptionList: ['10.0.0.0/8'] } },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } },
    ],
    [
      { Type: 'PA', PA: '10.0.0.5' },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } },
    ],
    [
      { Type: 'NAT', Protocol: 'tcp', InternalPort: 80, ExternalPort: 8080 },
      { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080 } },
    ],
    [
      { Type: 'ACL', Protocol: 6, LocalPort: 443, Action: 'Allow', Direction: 'In', Priority: 200 },
      {
        Type: 'ACL',
        Settings: { Protocols: '6', LocalPorts: '443', Action: 'Allow', Direction: 'In', Priority: 200 },
      },
    ],
  ])('%j', (value, policy) => {
    expect(read({ ...bridge, policies: policies(value) })).toMatchObject({
      endpointPolicies: [policy],
      ignored: [],
    });
  });

  test("with HCN's name of a member if it has both names, in any order", () => {
    const both = { ExceptionList: ['10.0.0.0/8'], Exceptions: ['11.0.0.0/8'] };
    for (const Settings of [both, Object.fromEntries(Object.entries(both).reverse())]) {
      expect(read({ ...bridge, policies: policies({ Type: 'OutBoundNAT', Settings }) })).toMatchObject({
        endpointPolicies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['11.0.0.0/8'] } }],
        ignored: ['/policies/0/value/Settings/ExceptionList'],
      });
    }
  });
});

test('keys without effect are never an error, and are listed once, in the given spelling', () => {
  const tuple = { Protocols: '6', 'a/b': 1 };
  const config = {
    ...nat,
    Extra: 1,
    Master: 'Ethernet',
    DNS: { Nameservers: ['10.0.0.1'], Foo: 1 },
    OptionalFlags: { LoopbackDSR: false, Faster: true },
    ipam: { routes: [{ GW: 'here' }] },
    Policies: [
      { name: 'Other', value: {} },
      {
        Name: 'EndpointPolicy',
        Value: { Type: 'ROUTE', DestinationPrefix: '10.0.0.0/8', Metric: 1, Off: false },
      },
      { Name: 'EndpointPolicy', Value: { Type: 'QOS', Metric: 1, settings: { Burst: 1 } } },
      { Name: 'EndpointPolicy', Value: { Type: 'L4WFPPROXY', Settings: { FilterTuple: tuple } } },
    ],
  };
  expect(openConfig(config, 'nat.exe', '').ignored).toEqual([
    '/DNS/Foo',
    '/Extra',
    '/OptionalFlags/Faster',
    '/Policies/0',
    '/Policies/1/Value/Metric',
    '/Policies/2/Value/Metric',
    '/Policies/2/Value/settings/Burst',
    '/Policies/3/Value/Settings/FilterTuple/a~1b',
    '/ipam/routes/0/GW',
  ]);
  const ofNetwork = [{ name: 'NetworkPolicy', value: { Type: 'VLAN', VLAN: 5 } }];
  expect(read({ ...bridge, policies: ofNetwork }).ignored).toEqual(['/policies/0/value']);
});

describe('an error has the path in the given configuration, in its spelling', () => {
  const route = { Type: 'SDNRoute', Settings: { DestinationPrefix: 'x' } };
  test.each<[place: string, config: Json]>([
    ['/policies/0/value/Settings/DestinationPrefix', { ...bridge, policies: policies(route) }],
    [
      '/Policies/0/Value/settings/destinationPREFIX',
      {
        ...bridge,
        Policies: [
          { Name: 'EndpointPolicy', Value: { type: 'ROUTE', settings: { destinationPREFIX: 'x' } } },
        ],
      },
    ],
    [
      '/policies/1/value/DestinationPrefix',
      { ...bridge, policies: [{}, ...policies({ Type: 'ROUTE', DestinationPrefix: 'x' })] },
    ],
    [
      '/policies/0/value/DestinationPrefix',
      { ...bridge, policies: policies({ Type: 'ROUTE', NeedEncap: true }) },
    ],
    [
      '/policies/0/value/ExceptionList/1',
      { ...bridge, policies: policies({ Type: 'OutBoundNAT', ExceptionList: ['10.0.0.0/8', 'x'] }) },
    ],
    ['/policies/0/value/Type', { ...bridge, policies: policies({ Exceptions: [] }) }],
    ['/policies/0/value/Settings', { ...bridge, policies: policies({ Type: 'QOS', Settings: 'x' }) }],
    ['/policies/0/value', { ...bridge, policies: policies('x') }],
    ['/policies/0/Value', { ...bridge, policies: [{ Name: 'EndpointPolicy', Value: null }] }],
    ['/AdditionalARGS', { ...bridge, AdditionalARGS: {} }],
    ['/Ipam/SUBNET', { ...nat, Ipam: { SUBNET: 'x' } }],
    [
      '/ipam/routes/1/gateway',
      { ...nat, ipam: { subnet: '10.4.0.0/24', routes: [{}, { gateway: '10.4.0.0' }] } },
    ],
    ['/optionalflags', { ...nat, optionalflags: 'x' }],
    ['/optionalFlags/LOOPBACKdsr', { ...nat, optionalFlags: { LOOPBACKdsr: 'x' } }],
    ['/DNS/NameServers/0', { ...nat, DNS: { NameServers: ['x'] } }],
    ['/clusterNetworkPrefix', { ...bridge, clusterNetworkPrefix: 'x' }],
    [
      '/EndpointMacPrefix',
      { name: 'x', type: 'win-overlay', ipam: { type: 'host-local' }, EndpointMacPrefix: 'x' },
    ],
    [
      '/RuntimeConfig/PortMappings/0/HostPort',
      { ...nat, RuntimeConfig: { PortMappings: [{ HostPort: 'x', containerPort: 80 }] } },
    ],
    ['/Subnets/0/Subnet', { name: 'x', NetworkType: 'NAT', Subnets: [{ Subnet: 'x' }] }],
  ])('%s', (place, config) => {
    expect(() => read(config)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`configuration: ${place} is `)) }),
    );
  });
});

test('an unknown protocol of a port mapping is refused', () => {
  const portMappings = [{ hostPort: 80, containerPort: 80, protocol: 'sctp' }];
  expect(() => read({ ...nat, runtimeConfig: { portMappings } })).toThrow(
    '/runtimeConfig/portMappings/0/protocol is "sctp", expected "tcp" or "udp"',
  );
});

test.each(['L2Bridge', undefined, null, 3, []])(
  'a policy with the value %j is refused with its path',
  (value) => {
    for (const container of ['policies', 'AdditionalArgs'])
      for (const type of ['win-bridge', 'win-overlay', 'nat'])
        for (const name of ['EndpointPolicy', ...(type === 'nat' ? ['NetworkPolicy'] : [])])
          expect(() => read({ name: 'cbr0', type, [container]: [{ name, value }] })).toThrow(
            `/${container}/0/value is `,
          );
  },
);

test('policies that are not a list are refused', () => {
  expect(() => read({ name: 'cbr0', type: 'nat', AdditionalArgs: {} })).toThrow(
    '/AdditionalArgs is {}, expected a list',
  );
});

test('an unknown flag of sdnbridge is listed as ignored, enableDualStack is not', () => {
  const optionalFlags = { enableDualStack: true, LoopbackDSR: true, forceBridge: true };
  expect(read({ name: 'cbr0', type: 'sdnbridge', optionalFlags })).toMatchObject({
    loopbackDSR: true,
    ignored: ['/optionalFlags/forceBridge'],
  });
});

test('ipMasqNetwork adds outbound NAT with win-bridge, but with win-overlay only beside ipMasq', () => {
  const ipMasqNetwork = '10.244.0.0/16';
  const outboundNat = { exceptions: [ipMasqNetwork], destinations: [] };
  expect(
    read({ name: 'cbr0', type: 'win-overlay', ipMasq: false, ipMasqNetwork }).outboundNat,
  ).toBeUndefined();
  expect(read({ name: 'cbr0', type: 'win-overlay', ipMasq: true, ipMasqNetwork }).outboundNat).toEqual(
    outboundNat,
  );
  expect(read({ name: 'cbr0', type: 'win-bridge', ipMasq: false, ipMasqNetwork }).outboundNat).toEqual(
    outboundNat,
  );
});

test.each(['NAT', 'ICS'])("%s networks use only the network's own gateway", (type) => {
  const ipam = { subnet: '172.20.0.0/16', routes: [{ gw: '172.20.0.9' }] };
  expect(read({ name: 'cbr0', type, ipam, optionalFlags: { forceBridgeGateway: true } })).toMatchObject({
    subnets: [{ prefix: '172.20.0.0/16', gateway: '172.20.0.9' }],
    behavior: { gateways: [], secondHostIsGateway: [], preferIpamGateway: 'never' },
  });
});
