// The states of two-pod nodes with documents as HNS returns them, for tests of the judge.

import type { NodeState } from '../../src/cli/traffic/node-state.ts';
import type { ObservedEndpoint, ObservedNetwork, Policy } from '../../src/hcn/documents.ts';
import type { HostAdapter } from '../../src/net/host-adapter.ts';
import type { Cluster } from './judge.ts';
import { prefixOf } from './node.ts';
import { router } from './router.ts';
import { newWindowsNode } from './windows-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

const hostNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-000000000001';
export const podNamespace = '4a2d0c8e-0b1c-4c5e-9a4f-000000000002';

export const policy = (Type: string, Settings: NonNullable<Policy['Settings']> = {}): Policy => ({
  Type,
  Settings,
});

/** The distributed router's MAC address of node `n`. */
export const routerMac = (n: number) => `00-15-5D-00-00-0${n}`;

export const remoteSubnet = (n: number, changes: object = {}): Policy =>
  policy('RemoteSubnetRoute', {
    DestinationPrefix: `10.244.${n}.0/24`,
    IsolationId: 4096,
    ProviderAddress: `10.0.0.${n}`,
    DistributedRouterMacAddress: routerMac(n),
    ...changes,
  });

export const outboundNat = (...Exceptions: readonly string[]) => policy('OutBoundNAT', { Exceptions });

export interface Changes {
  readonly network?: Partial<ObservedNetwork>;
  readonly endpoint?: Partial<ObservedEndpoint>;
  readonly others?: readonly ObservedEndpoint[];
  readonly loadBalancers?: NodeState['inventory']['loadBalancers'];
  readonly routes?: NodeState['routes'];
  readonly forwarding?: NodeState['forwarding'];
}

/** Node `n` of an Overlay cluster of nodes 1 and 2: 10.0.0.n, pods in 10.244.n.0/24, among them 10.244.n.5. */
export function overlayState(n: number, changes: Changes = {}): NodeState {
  const network: ObservedNetwork = {
    ID: `overlay-${n}`,
    Name: 'flannel.4096',
    Type: 'Overlay',
    Policies: [
      policy('DrMacAddress', { Address: routerMac(n) }),
      policy('ProviderAddress', { ProviderAddress: `10.0.0.${n}` }),
      policy('HostRoute'),
      remoteSubnet(n === 1 ? 2 : 1),
    ],
    Ipams: ipams(n, policy('VSID', { IsolationId: 4096 })),
    SchemaVersion,
    ...changes.network,
  };
  const pod = podOf(n, `10.244.${n}.1`, network.ID, [
    outboundNat('10.244.0.0/16', '10.96.0.0/12'),
    policy('ProviderAddress', { ProviderAddress: `10.0.0.${n}` }),
  ]);
  return stateOf(
    n,
    network,
    [{ ...pod, ...changes.endpoint }, ...(changes.others ?? [])],
    [uplink(n)],
    changes,
  );
}

/** Node `n` of an L2Bridge cluster of nodes 1 and 2, with a host endpoint and a route to the other node's pods. */
export function bridgeState(n: number, changes: Changes = {}): NodeState {
  const other = n === 1 ? 2 : 1;
  const network: ObservedNetwork = {
    ID: `bridge-${n}`,
    Name: 'cbr0',
    Type: 'L2Bridge',
    Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })],
    Ipams: ipams(n),
    SchemaVersion,
    ...changes.network,
  };
  const host: ObservedEndpoint = {
    ID: `host-${n}`,
    Name: 'cbr0_ep',
    HostComputeNetwork: network.ID,
    HostComputeNamespace: hostNamespace,
    IpConfigurations: [{ IpAddress: `10.244.${n}.2`, PrefixLength: 24 }],
    SchemaVersion,
  };
  const hostInterface: HostAdapter = {
    ...uplink(n),
    index: 9,
    alias: 'vEthernet (cbr0_ep)',
    addresses: [prefixOf(`10.244.${n}.2/24`)],
    gateways: [],
  };
  const pod = podOf(n, `10.244.${n}.2`, network.ID, [
    outboundNat('10.244.0.0/16', '10.96.0.0/12', '10.0.0.0/24'),
  ]);
  const route = {
    interfaceIndex: 5,
    prefix: `10.244.${other}.0/24`,
    nextHop: `10.0.0.${other}`,
    metric: 256,
  };
  const endpoints = [{ ...pod, ...changes.endpoint }, host, ...(changes.others ?? [])];
  const state = stateOf(n, network, endpoints, [uplink(n), hostInterface], changes);
  return changes.routes === undefined ? { ...state, routes: [...state.routes, route] } : state;
}

/** The subnet of node `n`. */
function ipams(n: number, ...Policies: readonly Policy[]): NonNullable<ObservedNetwork['Ipams']> {
  const Routes = [{ NextHop: `10.244.${n}.1`, DestinationPrefix: '0.0.0.0/0' }];
  return [{ Subnets: [{ IpAddressPrefix: `10.244.${n}.0/24`, Policies, Routes }] }];
}

/** The pod 10.244.n.5. */
function podOf(n: number, gateway: string, network: string, Policies: readonly Policy[]): ObservedEndpoint {
  return {
    ID: `pod-${n}`,
    Name: `pod-${n}`,
    HostComputeNetwork: network,
    HostComputeNamespace: podNamespace,
    Policies,
    IpConfigurations: [{ IpAddress: `10.244.${n}.5`, PrefixLength: 24 }],
    Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }],
    SchemaVersion,
  };
}

function uplink(n: number): HostAdapter {
  return {
    index: 5,
    alias: 'vEthernet (Ethernet)',
    description: 'Hyper-V Virtual Ethernet Adapter',
    mac: `00-0D-3A-00-00-0${n}`,
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [prefixOf(`fd09::${n}/64`), prefixOf(`10.0.0.${n}/24`)],
    gateways: ['10.0.0.254'],
    metric: 15,
  };
}

function stateOf(
  n: number,
  network: ObservedNetwork,
  endpoints: readonly ObservedEndpoint[],
  adapters: readonly HostAdapter[],
  { routes, forwarding, loadBalancers = [] }: Changes,
): NodeState {
  return {
    inventory: {
      networks: [network],
      endpoints,
      namespaces: [
        { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion },
        { ID: podNamespace, Type: 'Host', NamespaceId: 2, SchemaVersion },
      ],
      loadBalancers,
    },
    adapters,
    routes: routes ?? [
      { interfaceIndex: 5, prefix: '0.0.0.0/0', nextHop: '10.0.0.254', metric: 0 },
      { interfaceIndex: 5, prefix: '10.0.0.0/24', nextHop: '0.0.0.0', metric: 256 },
      ...(adapters.length > 1
        ? [{ interfaceIndex: 9, prefix: `10.244.${n}.0/24`, nextHop: '0.0.0.0', metric: 256 }]
        : []),
    ],
    forwarding:
      forwarding ??
      (['IPv6', 'IPv4'] as const).flatMap((family) =>
        adapters.map(({ index }) => ({ index, family, isEnabled: family === 'IPv4' })),
      ),
  };
}

/** A node with another policy of a type on its network, or without one. */
export function withPolicy(state: NodeState, type: string, other?: Policy): NodeState {
  const networks = state.inventory.networks.map((network) => ({
    ...network,
    Policies: [
      ...(network.Policies ?? []).filter(({ Type }) => Type !== type),
      ...(other === undefined ? [] : [other]),
    ],
  }));
  return { ...state, inventory: { ...state.inventory, networks } };
}

/** A cluster of Windows nodes and a router to 8.8.8.8. */
export function clusterOf(...states: readonly NodeState[]): Cluster {
  const gateway = router({ addresses: ['10.0.0.254/24'], outside: ['8.8.8.8'] });
  return { nodes: [...states.map((state, index) => newWindowsNode(`win-${index + 1}`, state)), gateway] };
}
