import { describe, expect, test } from 'vitest';
import { defaultRoute } from '../../../../src/cli/doctor/checks/default-route.ts';
import { duplicateAddresses } from '../../../../src/cli/doctor/checks/duplicate-addresses.ts';
import { staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import { hostEndpoint } from '../../../../src/cli/doctor/checks/host-endpoint.ts';
import { managementAddress } from '../../../../src/cli/doctor/checks/management-address.ts';
import { mtu } from '../../../../src/cli/doctor/checks/mtu.ts';
import { network } from '../../../../src/cli/doctor/checks/network.ts';
import { overlay } from '../../../../src/cli/doctor/checks/overlay.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { hostEndpointId, networkId } from '../../../../src/model/identity.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { configured, facts } from './facts.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const pods: ObservedNetwork = {
  ID: networkId('pods'),
  Name: 'pods',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [
    {
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion,
};
const hostNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b02';
const empty: Inventory = {
  networks: [pods],
  endpoints: [],
  namespaces: [{ ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion }],
  loadBalancers: [],
};

/** A node with a network, and what differs of it. */
function node(
  inventory: Partial<Inventory> = {},
  { members = {}, adapters = hostAdapters }: { members?: object; adapters?: readonly HostAdapter[] } = {},
) {
  return facts({
    inventory: { known: { ...empty, ...inventory } },
    adapters: { known: adapters },
    configuration: configured(members),
  });
}

function endpoint(id: string, given: Partial<ObservedEndpoint>): ObservedEndpoint {
  return {
    ID: `fd6bec0f-7b88-4b61-b5af-7089${id.padStart(8, '0')}`,
    Name: id,
    HostComputeNetwork: pods.ID,
    SchemaVersion,
    ...given,
  };
}

const withAddress = (id: string, address: string, given: Partial<ObservedEndpoint> = {}) =>
  endpoint(id, { IpConfigurations: [{ IpAddress: address }], ...given });

describe('the network', () => {
  test('is one that the first ADD creates, and its adapter is away meanwhile', () => {
    expect(network.judge(node({ networks: [] }, { members: { adapter: 'Ethernet 2' } }))).toEqual([
      {
        verdict: 'WARN',
        seen: '"pods" does not exist yet: the first ADD creates it, which takes adapter "Ethernet 2" away from the node for some seconds',
        fix: 'win-hcn network ensure C:\\etc\\cni\\net.d\\10-pods.conf',
      },
    ]);
  });

  test('without an adapter takes none away', () => {
    const members = { networkType: 'NAT' };
    expect(network.judge(node({ networks: [] }, { members }))).toEqual([
      { verdict: 'PASS', seen: '"pods" does not exist yet: the first ADD creates it' },
    ]);
  });

  test('that somebody else is to create is missing', () => {
    expect(network.judge(node({ networks: [] }, { members: { createNetwork: 'never' } }))).toEqual([
      {
        verdict: 'FAIL',
        seen: 'network "pods" does not exist and "createNetwork" is "never"\nwait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing"',
        see: 'win-hcn ls networks',
      },
    ]);
  });

  test('cannot be where its host endpoint has the address of an adapter', () => {
    const members = { hostEndpoint: { address: '10.244.1.1' } };
    expect(network.judge(node({}, { members }))).toEqual([
      {
        verdict: 'FAIL',
        seen: "/hostEndpoint: 10.244.1.1 is the network's gateway, which HNS reserves",
        see: 'win-hcn show network pods',
      },
    ]);
  });

  test('cannot be without an adapter that it could be on', () => {
    const adapters = adaptersWith('vEthernet (Ethernet)', { gateways: [] });
    expect(network.judge(node({ networks: [] }, { adapters }))).toMatchObject([
      {
        verdict: 'FAIL',
        seen: expect.stringMatching(
          /^invalid network configuration: \/adapter is missing and no network adapter has a default route. Set it to an adapter\nnetwork adapters: /,
        ),
        see: 'Get-NetAdapter',
      },
    ]);
  });

  test('of type Overlay without a provider address carries nothing', () => {
    const subnet = {
      IpAddressPrefix: '10.244.1.0/24',
      Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
    };
    const vxlan = { ...pods, Type: 'Overlay', Ipams: [{ Subnets: [subnet] }] };
    const members = { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };
    expect(network.judge(node({ networks: [vxlan] }, { members }))).toEqual([
      {
        verdict: 'FAIL',
        seen: '"pods" has no usable ProviderAddress, so that nothing leaves this node on it',
        see: 'Get-NetIPAddress -AddressFamily IPv4',
      },
    ]);
  });

  test('is unknown where its adapter has to be known, and is not', () => {
    const given = { ...node({ networks: [] }), adapters: { unknown: 'Windows did not answer' } };
    expect(network.judge(given)).toEqual([{ verdict: 'UNKNOWN', seen: 'Windows did not answer' }]);
  });

  test('is not looked at without a configuration', () => {
    expect(network.judge(facts())).toEqual([]);
  });
});

/** The node's adapters, of which one differs. */
function adaptersWith(alias: string, changes: Partial<HostAdapter>): readonly HostAdapter[] {
  return hostAdapters.map((one) => (one.alias === alias ? { ...one, ...changes } : one));
}

describe('the management address', () => {
  const what = 'network "pods" on adapter "Ethernet"';
  const above = 'vEthernet (Ethernet)';
  const show = "Get-NetIPConfiguration -InterfaceAlias 'vEthernet (Ethernet)' -Detailed";
  test.each<[string, readonly HostAdapter[], object]>([
    [
      'that is there, with the default route',
      hostAdapters,
      { verdict: 'PASS', seen: `${what}: "${above}" has 10.0.0.4, and the default route via 10.0.0.1` },
    ],
    [
      'without a default route',
      adaptersWith(above, { gateways: [] }),
      {
        verdict: 'WARN',
        seen: `${what}: "${above}" has 10.0.0.4 and no default route, so that pods may reach nothing outside`,
        see: 'Get-NetRoute -DestinationPrefix 0.0.0.0/0',
      },
    ],
    [
      'on an adapter that is down',
      adaptersWith(above, { isUp: false }),
      {
        verdict: 'FAIL',
        seen: `${what}: "${above}" has 10.0.0.4 and is down`,
        fix: "Enable-NetAdapter -Name 'vEthernet (Ethernet)'",
      },
    ],
    [
      'that Windows gave itself',
      adaptersWith(above, {
        addresses: [
          { address: 'fe80::1', length: 64 },
          { address: '169.254.12.9', length: 16 },
        ],
      }),
      {
        verdict: 'FAIL',
        seen: `${what}: "${above}" has 169.254.12.9 only, which it gives itself while no DHCP server answers; a static address was lost`,
        see: show,
      },
    ],
    [
      'that is missing',
      adaptersWith(above, { addresses: [{ address: 'fe80::1', length: 64 }] }),
      { verdict: 'FAIL', seen: `${what}: "${above}" has no address`, see: show },
    ],
    [
      'of an adapter that is gone',
      hostAdapters.slice(1, 2),
      {
        verdict: 'FAIL',
        seen: `${what}: the node has no interface there`,
        see: 'Get-NetAdapter -IncludeHidden',
      },
    ],
  ])('%s', (_, adapters, expected) => {
    expect(managementAddress.judge(node({}, { adapters }))).toEqual([expected]);
  });

  test('of the adapter that a network will be on is looked at before', () => {
    const members = { adapter: 'Ethernet 2' };
    expect(managementAddress.judge(node({ networks: [] }, { members }))).toMatchObject([{ verdict: 'WARN' }]);
  });

  test('is none of a network without an adapter', () => {
    expect(managementAddress.judge(node({ networks: [{ ...pods, Policies: [] }] }))).toEqual([]);
  });
});

describe('the default route', () => {
  test('is missing', () => {
    expect(
      defaultRoute.judge(
        node({}, { adapters: adaptersWith('vEthernet (Ethernet)', { gateways: ['fe80::1'] }) }),
      ),
    ).toMatchObject([{ verdict: 'FAIL', seen: 'the node has no IPv4 default route' }]);
  });

  test('of two adapters warns', () => {
    const adapters = adaptersWith('Ethernet 2', { gateways: ['172.16.0.1'] });
    expect(defaultRoute.judge(node({}, { adapters }))).toEqual([
      {
        verdict: 'WARN',
        seen: '2 IPv4 default routes: via 172.16.0.1 on "Ethernet 2", via 10.0.0.1 on "vEthernet (Ethernet)"',
        see: 'Get-NetRoute -DestinationPrefix 0.0.0.0/0 | Format-Table InterfaceAlias, NextHop, RouteMetric, InterfaceMetric',
      },
    ]);
  });

  test('of a host endpoint is one too many, and can go', () => {
    const adapters = adaptersWith('Ethernet 2', { alias: 'vEthernet (pods_ep)', gateways: ['10.244.1.1'] });
    expect(defaultRoute.judge(node({}, { adapters }))).toEqual([
      {
        verdict: 'WARN',
        seen: '2 IPv4 default routes: via 10.244.1.1 on "vEthernet (pods_ep)", via 10.0.0.1 on "vEthernet (Ethernet)"; a host endpoint needs none',
        fix: 'Remove-NetRoute -InterfaceIndex 7 -DestinationPrefix 0.0.0.0/0 -Confirm:$false',
      },
    ]);
  });

  test('of an adapter that is down does not count', () => {
    const adapters = adaptersWith('Ethernet 2', { gateways: ['172.16.0.1'], isUp: false });
    expect(defaultRoute.judge(node({}, { adapters }))).toMatchObject([{ verdict: 'PASS' }]);
  });

  test('of host endpoints only is not taken away', () => {
    const alias = 'vEthernet (pods_ep)';
    const adapters = [1, 2].flatMap((index) =>
      hostAdapters.slice(0, 1).map((one) => ({ ...one, index, alias, gateways: ['10.244.1.1'] })),
    );
    const [judgement] = defaultRoute.judge(node({}, { adapters }));
    expect(judgement).toMatchObject({ verdict: 'WARN', see: expect.any(String) });
    expect(judgement).not.toHaveProperty('fix');
  });
});

describe('the host endpoint', () => {
  const atWork = (address: string) =>
    withAddress('2', address, { ID: hostEndpointId('pods'), HostComputeNamespace: hostNamespace });
  test.each<[string, readonly ObservedEndpoint[], object, object]>([
    [
      'that nobody asks for is missed on a bridge',
      [],
      {},
      {
        verdict: 'WARN',
        seen: 'the node has no endpoint on "pods" and may not reach its pods, as for kubelet\'s probes; "hostEndpoint": {} in the configuration gives it one',
        see: 'win-hcn show network pods',
      },
    ],
    [
      'that somebody made does',
      [atWork('10.244.1.9')],
      {},
      { verdict: 'PASS', seen: 'the node has 10.244.1.9 on "pods"' },
    ],
    [
      'that is configured is there',
      [atWork('10.244.1.2')],
      { hostEndpoint: {} },
      { verdict: 'PASS', seen: 'the node has 10.244.1.2 on "pods"' },
    ],
    [
      'that is configured is not there',
      [withAddress('2', '10.244.1.2')],
      { hostEndpoint: {} },
      {
        verdict: 'WARN',
        seen: 'the node\'s endpoint 10.244.1.2 on "pods" is not there: pods have no gateway until the next ADD makes it',
        see: 'win-hcn ls endpoints -o wide',
      },
    ],
    [
      'that is there has another address',
      [atWork('10.244.1.9')],
      { hostEndpoint: {} },
      {
        verdict: 'FAIL',
        seen: 'the node has 10.244.1.9 on "pods", and /hostEndpoint asks for 10.244.1.2: ADD refuses',
        see: `win-hcn show endpoint ${hostEndpointId('pods')}`,
      },
    ],
  ])('%s', (_, endpoints, members, expected) => {
    expect(hostEndpoint.judge(node({ endpoints }, { members }))).toEqual([expected]);
  });

  test('is looked for on a bridge only', () => {
    const networks = [{ ...pods, Type: 'Transparent' }];
    const members = { networkType: 'Transparent' };
    expect(hostEndpoint.judge(node({ networks }, { members }))).toEqual([]);
  });
});

describe('the MTU', () => {
  test("that is not configured is HNS's to decide", () => {
    expect(mtu.judge(node())).toEqual([]);
  });

  test('that no adapter has room for', () => {
    expect(mtu.judge(node({}, { members: { mtu: 9000 } }))).toEqual([
      {
        verdict: 'FAIL',
        seen: '/mtu is 9000, but adapter Ethernet allows at most 1500',
        see: 'Get-NetIPInterface',
      },
    ]);
  });

  test('of endpoints from before is another one', () => {
    const overhead = (Overhead: number) => ({
      Policies: [{ Type: 'EncapOverhead', Settings: { Overhead } }],
    });
    const endpoints = [endpoint('a', overhead(50)), endpoint('b', overhead(100)), endpoint('c', {})];
    expect(mtu.judge(node({ endpoints }, { members: { mtu: 1400 } }))).toEqual([
      {
        verdict: 'WARN',
        seen: '1400 for pods, of 1500 of adapter "Ethernet"; endpoints from before have another one until their pods are made anew: fd6bec0f',
        see: 'win-hcn show endpoint fd6bec0f-7b88-4b61-b5af-70890000000a',
      },
    ]);
  });
});

describe('VXLAN', () => {
  const vxlan = (
    vsid: number | undefined,
    ...policies: ObservedNetwork['Policies'] & object
  ): ObservedNetwork => ({
    ...pods,
    Name: 'vxlan0',
    Type: 'overlay',
    Policies: policies,
    Ipams: [
      {
        Subnets: [
          {
            IpAddressPrefix: '10.244.1.0/24',
            ...(vsid !== undefined && { Policies: [{ Type: 'VSID', Settings: { IsolationId: vsid } }] }),
          },
        ],
      },
    ],
  });
  const route = (IsolationId: number) => ({ Type: 'RemoteSubnetRoute', Settings: { IsolationId } });
  test.each<[string, ObservedNetwork, string, string]>([
    ['as most have it', vxlan(4096, route(4096)), 'PASS', '"vxlan0": VSID 4096, UDP port 4789'],
    [
      'with a VSID that Windows does not take',
      vxlan(1),
      'FAIL',
      '"vxlan0": VSID 1, UDP port 4789; Windows needs a VSID of 4096 or more, on every node the same',
    ],
    [
      'without a VSID',
      vxlan(undefined),
      'FAIL',
      '"vxlan0": VSID none, UDP port 4789; Windows needs a VSID of 4096 or more, on every node the same',
    ],
    [
      'with routes of another VSID',
      vxlan(4096, route(4096), route(4097)),
      'FAIL',
      '"vxlan0": VSID 4096, UDP port 4789; routes to other nodes have VSID 4097, which none of its subnets has',
    ],
    [
      'on another port',
      vxlan(4096, { Type: 'VxlanPort', Settings: { Port: 8472 } }),
      'WARN',
      '"vxlan0": VSID 4096, UDP port 8472; every other node must use that port, and most use 4789',
    ],
  ])('%s', (_, one, verdict, seen) => {
    const see = verdict === 'PASS' ? {} : { see: 'win-hcn show network vxlan0 -o json' };
    expect(overlay.judge(node({ networks: [pods, one] }))).toEqual([{ verdict, seen, ...see }]);
  });
});

describe('addresses', () => {
  test('of two endpoints of this node fail, of one network only', () => {
    const endpoints = [
      withAddress('a', '10.244.1.7'),
      withAddress('b', '10.244.1.7'),
      withAddress('c', '10.244.1.7', { HostComputeNetwork: networkId('other') }),
    ];
    expect(duplicateAddresses.judge(node({ endpoints }))).toEqual([
      {
        verdict: 'FAIL',
        seen: '10.244.1.7 is of several endpoints of this node: fd6bec0f, fd6bec0f',
        see: 'win-hcn show ip 10.244.1.7',
      },
    ]);
  });

  test('of two remote endpoints are not ours to judge', () => {
    const endpoints = [
      withAddress('a', '10.244.2.7', { Flags: 1 }),
      withAddress('b', '10.244.2.7', { Flags: 1 }),
    ];
    expect(duplicateAddresses.judge(node({ endpoints }))).toMatchObject([{ verdict: 'PASS' }]);
  });
});

test('of many leftovers three are named', () => {
  const endpoints = ['1', '2', '3', '4', '5'].map((id) => endpoint(id, { Flags: 1 }));
  expect(staleEndpoints.judge(node({ endpoints }))).toEqual([
    {
      verdict: 'WARN',
      seen: '5 leftovers: fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it and 2 more',
      see: 'win-hcn gc',
    },
  ]);
});
