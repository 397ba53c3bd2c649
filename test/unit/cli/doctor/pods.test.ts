import { describe, expect, test } from 'vitest';
import { pods as check, missingPods } from '../../../../src/cli/doctor/checks/pods.ts';
import type { Configuration } from '../../../../src/cli/doctor/runtime.ts';
import type { Policy } from '../../../../src/hcn/documents.ts';
import { hostEndpointId } from '../../../../src/model/identity.ts';
import {
  confFile,
  configured,
  diagnosed,
  hostNamespace,
  node,
  pods,
  SchemaVersion,
  second,
  withAddress,
} from './snapshot.ts';

const namespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
const host = { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion };
const pod = { ID: namespace, Type: 'Host', NamespaceId: 2, SchemaVersion };
const running = { ...pod, Resources: [{ Type: 'Container', Data: { Id: 'web' } }] };
const namespaces = [host, running];
const route = (NextHop: string, DestinationPrefix = '0.0.0.0/0') => ({ NextHop, DestinationPrefix });
const own = withAddress('b', '10.244.1.2', {
  ID: hostEndpointId('pods'),
  HostComputeNamespace: hostNamespace,
});
const attached = (given: object = {}) =>
  withAddress('a', '10.244.1.7', {
    HostComputeNamespace: namespace,
    Routes: [route('10.244.1.2')],
    ...given,
  });

/** The diagnosis of one pod on a node with a host endpoint. */
function compared(
  given: object,
  members: object = {},
  others: readonly ReturnType<typeof attached>[] = [own],
) {
  const endpoints = [...others, attached(given)];
  return diagnosed(check, node({ namespaces, endpoints }, { members: { hostEndpoint: {}, ...members } }));
}

const found = (text: string) => `${text} | fd6bec0f (container web) | see: win-hcn show endpoint fd6bec0f`;
const nat = (...Exceptions: readonly string[]): Policy => ({ Type: 'OutBoundNAT', Settings: { Exceptions } });
const acl = (Action: string, RemotePorts: string): Policy => ({
  Type: 'ACL',
  Settings: { Action, Direction: 'Out', Priority: 200, RemotePorts, Protocols: '6', RuleType: 'Switch' },
});
const exceptions = { outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } };
const blocked = {
  acls: [{ action: 'Block', direction: 'Out', protocols: ['tcp'], remotePorts: ['25'], priority: 200 }],
  defaultAction: 'Allow',
};
const defaults = ['In', 'Out'].map((Direction) => ({
  Type: 'ACL',
  Settings: { Action: 'Allow', Direction, Priority: 65500, RuleType: 'Switch' },
}));

describe('pods', () => {
  test('are not reported if there are none, before the network exists, or on another network', () => {
    const members = { hostEndpoint: {} };
    expect(diagnosed(check, node({ namespaces: [host] }, { members }))).toEqual([]);
    expect(diagnosed(check, node({ networks: [] }, { members }))).toEqual([]);
    expect(compared({ HostComputeNetwork: namespace })).toEqual([]);
  });

  test('pass if they are as planned', () => {
    const members = {
      ...exceptions,
      ...blocked,
      dns: { nameservers: ['10.96.0.10'], search: ['cluster.local'] },
      macPrefix: '0a-58',
      ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
    };
    const given = {
      Dns: { ServerList: ['10.96.0.10'], Search: ['Cluster.local'] },
      MacAddress: '0A-58-0A-F4-01-07',
      Policies: [nat('10.244.0.0/16', '10.96.0.0/12', '10.244.1.0/24'), acl('Block', '25'), ...defaults],
    };
    expect(compared(given, members)).toEqual([
      'PASS 1 endpoint as ADD creates them with 10-pods.conf: prefix length, gateway, routes, DNS, MAC address, ACL, OutBoundNAT',
    ]);
  });

  test.each<[string, Partial<Configuration>]>([
    ['has problems', configured({ cniVersion: '9.0.0', hostEndpoint: {} })],
    ['is not used', { files: { value: [] } }],
  ])('do not pass if no ADD runs with their file: %s', (_, changes) => {
    const given = node({ namespaces, endpoints: [own, attached()] }, { members: { hostEndpoint: {} } });
    const configuration = { ...given.configuration, ...changes };
    expect(diagnosed(check, { ...given, configuration })).toEqual([
      'UNKNOWN 1 endpoint as in 10-pods.conf, which ADD may not use: prefix length, gateway, routes',
    ]);
  });

  test.each<[string, object, object, readonly string[]]>([
    [
      'another gateway',
      { Routes: [route('10.244.1.254')] },
      {},
      ['WARN gateway 10.244.1.254, expected 10.244.1.2'],
    ],
    ['no gateway', { Routes: [] }, {}, ['FAIL no gateway, expected 10.244.1.2']],
    [
      "the node's own address",
      { IpConfigurations: [{ IpAddress: '10.244.1.2' }] },
      {},
      ['FAIL address 10.244.1.2 cannot be assigned: it is the gateway of network "pods"'],
    ],
    [
      'other routes',
      {
        Routes: [route('10.244.1.2'), route('10.244.1.2', '10.8.0.0/16'), route('0.0.0.0', '10.244.1.0/24')],
      },
      {
        ipam: {
          type: 'host-local',
          subnet: '10.244.1.0/24',
          routes: [{ dst: '10.9.0.0/16', gw: '10.244.1.2' }],
        },
      },
      [
        'WARN no route 10.9.0.0/16 via 10.244.1.2',
        'WARN route 10.8.0.0/16 via 10.244.1.2, which the configuration does not have',
      ],
    ],
    [
      'other DNS settings',
      { Dns: { ServerList: ['8.8.8.8'], Search: ['a'], Domain: 'b' } },
      { dns: { nameservers: ['10.96.0.10'], search: ['cluster.local'], domain: 'c' } },
      [
        'WARN DNS servers 8.8.8.8, expected 10.96.0.10',
        'WARN DNS search domains a, expected cluster.local',
        'WARN DNS domain b, expected c',
      ],
    ],
    [
      'another MAC address',
      { MacAddress: '00-15-5D-00-00-01' },
      { macPrefix: '0a-58', ipam: { type: 'host-local', subnet: '10.244.1.0/24' } },
      ["WARN a MAC address other than the configuration's"],
    ],
    [
      'a missing NAT exception',
      { Policies: [nat('10.244.0.0/16')] },
      exceptions,
      ['WARN no OutBoundNAT exception 10.96.0.0/12'],
    ],
    [
      'an additional NAT exception',
      { Policies: [nat('0.0.0.0/0')] },
      exceptions,
      ['WARN OutBoundNAT exception 0.0.0.0/0, which the configuration does not have'],
    ],
    [
      'a type of policies that HNS does not return',
      {},
      exceptions,
      ['UNKNOWN HNS returns no policy OutBoundNAT, which the configuration has'],
    ],
    [
      'another ACL',
      { Policies: [acl('Block', '26'), acl('Block', '25'), ...defaults] },
      blocked,
      [
        'WARN policy {"Type":"ACL","Settings":{"Action":"Block","Direction":"Out","Priority":200,"RemotePorts":"26","Protocols":"6","RuleType":"Switch"}}, which the configuration does not have',
      ],
    ],
  ])('with %s are reported', (_, given, members, expected) => {
    expect(compared(given, members)).toEqual(expected.map(found));
  });

  test('lack a policy for certain if HNS returns its type for another endpoint', () => {
    const other = { ...own, Policies: [nat('10.244.0.0/16')] };
    expect(compared({}, exceptions, [other])).toEqual([
      found('WARN no policy OutBoundNAT, which the configuration has'),
    ]);
  });

  test('may have exceptions of nodes that left, which pods keep', () => {
    const remoteSubnets = [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }];
    const members = { outboundNat: { exceptions: ['10.96.0.0/12'] }, remoteSubnets };
    const Policies = [nat('10.96.0.0/12', '10.244.2.0/24', '10.244.3.0/24')];
    expect(compared({ Policies }, members)).toEqual([
      'PASS 1 endpoint as ADD creates them with 10-pods.conf: prefix length, gateway, routes, OutBoundNAT',
    ]);
  });

  test('have the DNS settings, port mappings and bandwidth that the runtime chose', () => {
    const members = { dns: { nameservers: ['10.96.0.10'] }, capabilities: { dns: true, bandwidth: true } };
    const Settings = { Protocol: 6, InternalPort: 80, ExternalPort: 8080 };
    const Policies = [
      { Type: 'PortMapping', Settings },
      { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } },
    ];
    expect(compared({ Dns: { ServerList: ['8.8.8.8'] }, Policies }, members)).toEqual([
      'PASS 1 endpoint as ADD creates them with 10-pods.conf: prefix length, gateway, routes',
    ]);
  });

  test('have ACLs for their port mappings, beside which others are reported', () => {
    const Settings = { Protocol: 17, InternalPort: 53, ExternalPort: 5353 };
    const opened = { Action: 'Allow', Direction: 'In', Protocols: '17', LocalPorts: '53', Priority: 1000 };
    const policies = { PortMapping: Settings, ACL: { ...opened, RuleType: 'Switch' } };
    const own = Object.entries(policies).map(([Type, settings]) => ({ Type, Settings: settings }));
    const members = { portMapping: { allowAcl: true }, defaultAction: 'Allow' };
    expect(compared({ Policies: [...own, acl('Block', '26'), ...defaults] }, members)).toEqual([
      found(`WARN policy ${JSON.stringify(acl('Block', '26'))}, which the configuration does not have`),
    ]);
  });

  test('are not compared with routes that an IPAM plugin may have returned', () => {
    expect(compared({ Routes: [route('10.0.0.4')] }, { ipam: { type: 'other' } })).toEqual([
      'PASS 1 endpoint as ADD creates them with 10-pods.conf: prefix length, gateway',
    ]);
  });

  test('fail if the configuration has a gateway that nothing on the node has', () => {
    const endpoints = [attached()];
    expect(diagnosed(check, node({ namespaces, endpoints }))).toEqual([
      found('FAIL gateway 10.244.1.2, but nothing on this node has that of the configuration, 10.244.1.1'),
    ]);
  });

  test('need the gateway of each family', () => {
    const subnets = ['10.244.1.0/24', 'fd00::/64'].map((subnet) => ({ subnet }));
    const [v4] = pods.Ipams?.[0]?.Subnets ?? [];
    const v6 = { IpAddressPrefix: 'fd00::/64', Routes: [route('fd00::1', '::/0')] };
    const networks = [{ ...pods, Ipams: [{ Subnets: v4 === undefined ? [] : [v4, v6] }] }];
    const IpConfigurations = ['10.244.1.7', 'fd00::7'].map((IpAddress) => ({ IpAddress }));
    const endpoints = [own, attached({ IpConfigurations })];
    const members = { hostEndpoint: {}, subnets };
    expect(diagnosed(check, node({ namespaces, endpoints, networks }, { members }))).toEqual([
      found('FAIL no gateway, expected fd00::1'),
    ]);
  });

  test('of Kubernetes fail on a network that no file of containerd has', () => {
    const storage = second('L2Bridge', { name: 'storage' });
    const endpoints = [own, attached({ HostComputeNetwork: storage.ID })];
    const ofKubernetes = new Map([['web', { name: 'shop/web', added: '' }]]);
    const networks = [pods, storage];
    const given = node({ namespaces, endpoints, networks, pods: ofKubernetes });
    const file = confFile('20-storage.conf', { name: 'storage', type: 'win-bridge' });
    const configuration = { ...given.configuration, files: { value: [file] } };
    expect(diagnosed(check, given)).toEqual([
      'FAIL on network "storage", the configuration has "pods": recreate the pod | fd6bec0f (pod shop/web) | see: win-hcn show endpoint fd6bec0f',
    ]);
    expect(diagnosed(check, { ...given, configuration })).toEqual([]);
  });

  test('of an Overlay network have the gateway of HNS', () => {
    const policy = (Type: string) => ({ Type, Settings: { ProviderAddress: '10.0.0.4', DrMacAddress: '' } });
    const [bound] = pods.Policies ?? [];
    const Policies = [
      ...(bound === undefined ? [] : [bound]),
      policy('ProviderAddress'),
      policy('DrMacAddress'),
    ];
    const Subnets = [
      {
        IpAddressPrefix: '10.244.1.0/24',
        Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
        Routes: [route('10.244.1.1')],
      },
    ];
    const vxlan = { ...pods, Type: 'Overlay', Policies, Ipams: [{ Subnets }] };
    const members = { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };
    const Provider = { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } };
    const endpoints = [attached({ Routes: [route('10.244.1.1')], Policies: [Provider] })];
    expect(diagnosed(check, node({ namespaces, endpoints, networks: [vxlan] }, { members }))).toEqual([
      'PASS 1 endpoint as ADD creates them with 10-pods.conf: prefix length, gateway, routes, ProviderAddress',
    ]);
  });
});

describe('running pods', () => {
  const lost = (given: Parameters<typeof node>[0]) => diagnosed(missingPods, node(given));

  test('need an endpoint, while starting ones may have none yet', () => {
    expect(lost({ namespaces: [host, pod] })).toEqual([]);
    expect(lost({ namespaces, endpoints: [attached()] })).toEqual([
      'PASS 1 namespace with containers, all with endpoints',
    ]);
    expect(lost({ namespaces })).toEqual([
      'WARN without an endpoint and so without network: recreate the pod | web | noun: pod | see: win-hcn show pod web',
    ]);
  });

  test('may have an endpoint that cannot be read', () => {
    const unreadable = [{ kind: 'Endpoint' as const, id: namespace, error: new Error('unreadable') }];
    expect(lost({ namespaces, unreadable })).toEqual([expect.stringMatching(/^PASS/)]);
  });
});
