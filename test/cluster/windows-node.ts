// A simulated Windows node, its objects read as win-hcn reads them.

import { isHostEndpoint, localEndpoint, type NodeState } from '../../src/cli/traffic/node-state.ts';
import type { Frame, Tunnel } from '../../src/cli/traffic/packet.ts';
import type { ConnectionState, Path, Receiver } from '../../src/cli/traffic/path.ts';
import { newConnection, walk } from '../../src/cli/traffic/walk.ts';
import type { HostComputeNetwork } from '../../src/hcn/documents.ts';
import { addressesIn } from '../../src/hcn/documents.ts';
import { readEndpoint, readLoadBalancer, readNamespace, readNetwork } from '../../src/hcn/read-document.ts';
import { providerAddressOf, settingsOf, subnetsOf } from '../../src/model/network-document.ts';
import { isRemote } from '../../src/model/ownership.ts';
import type { HostAdapter } from '../../src/net/host-adapter.ts';
import { parseMac } from '../../src/net/mac.ts';
import type { Hns } from '../simulator/hns.ts';
import { type CableInterface, type ClusterNode, prefixOf } from './node.ts';

export interface WindowsNode extends ClusterNode {
  readonly state: NodeState;
}

/** A Windows node as its simulated service is now; take it again after a change. */
export function windowsNode(name: string, hns: Hns): WindowsNode {
  return newWindowsNode(name, readNodeState(hns));
}

/** A Windows node with a given state. */
export function newWindowsNode(name: string, state: NodeState): WindowsNode {
  return {
    name,
    state,
    owner: (address) => ownerOf(state, address),
    send: (from, packet, connection) => {
      const endpoint =
        from.is === 'pod' ? state.inventory.endpoints.find(({ ID }) => ID === from.endpoint) : undefined;
      const start =
        endpoint === undefined
          ? ({ at: 'node', packet } as const)
          : ({ at: 'pod', endpoint, packet } as const);
      return walk(state, start, connection);
    },
    receive: (frame, connection) => receive(state, frame, connection),
    interfaces: cableInterfaces(state),
  };
}

/** win-hcn's model takes the headers of VXLAN as right; here they come from another node. */
function receive(state: NodeState, frame: Frame, connection: ConnectionState): readonly Path[] {
  const problem = frame.tunnel && tunnelProblem(state, frame.tunnel);
  if (problem === undefined)
    return walk(state, { at: 'physical network', frame, packet: frame.packet }, connection);
  const { packet } = frame;
  const hop = { place: 'adapter', name: 'VXLAN', did: 'drops it', packet } as const;
  return [{ outcome: 'lost', because: problem, packet, hops: [hop], state: newConnection }];
}

function tunnelProblem({ inventory }: NodeState, tunnel: Tunnel): string | undefined {
  const vsidsOf = (network: HostComputeNetwork) =>
    subnetsOf(network).map((one) => settingsOf(one.Policies, 'VSID')?.['IsolationId']);
  const networks = inventory.networks.filter((one) => providerAddressOf(one) === tunnel.destination);
  const network = networks.find((one) => vsidsOf(one).includes(tunnel.vsid)) ?? networks[0];
  if (network === undefined) return undefined;
  const { Name, Policies } = network;
  const vsids = networks.flatMap(vsidsOf);
  const port = settingsOf(Policies, 'VxlanPort')?.['Port'] ?? 4789;
  const router = parseMac(String(settingsOf(Policies, 'DrMacAddress')?.['Address']));
  if (!vsids.includes(tunnel.vsid))
    return `The packet has VSID ${tunnel.vsid}, and the Overlay networks of the node have ${vsids.join(', ')}.`;
  if (port !== tunnel.port)
    return `The packet was sent to UDP port ${tunnel.port}, and network "${Name}" receives VXLAN on ${port}.`;
  return tunnel.macAddress === router
    ? undefined
    : `The inner frame is for MAC address ${tunnel.macAddress}, and the distributed router of network "${Name}" has ${router}.`;
}

function ownerOf(state: NodeState, address: string): Receiver | undefined {
  if (state.adapters.some(({ addresses }) => addresses.some((own) => own.address === address)))
    return { is: 'node' };
  const endpoint = localEndpoint(state, address);
  return endpoint && { is: 'pod', endpoint: endpoint.ID };
}

/** Every adapter with an address that is not the node's side of an HCN network. */
function cableInterfaces(state: NodeState): readonly CableInterface[] {
  const { endpoints, networks } = state.inventory;
  const local = endpoints.filter((endpoint) => !isRemote(endpoint));
  const ofType = (...types: readonly string[]) =>
    networks.filter(({ Type }) => types.includes(Type.toLowerCase()));
  const onCable = ofType('l2bridge', 'l2tunnel', 'transparent').map(({ ID }) => ID);
  const inside = [
    ...local.flatMap(addressesIn),
    ...ofType('nat', 'ics')
      .flatMap((network) => subnetsOf(network))
      .flatMap(({ Routes = [] }) => Routes.map(({ NextHop }) => NextHop)),
  ];
  const bridged = local.filter(
    (endpoint) => onCable.includes(endpoint.HostComputeNetwork) && !isHostEndpoint(endpoint, state),
  );
  return state.adapters
    .filter(
      ({ addresses }) => addresses.length > 0 && !addresses.some(({ address }) => inside.includes(address)),
    )
    .map(({ index, alias, addresses }) => ({
      index,
      name: alias,
      addresses,
      bridged: bridged.flatMap(addressesIn),
    }));
}

/** The state of a simulated node: its dump through win-hcn's readers. */
export function readNodeState(hns: Hns): NodeState {
  const { networks, endpoints, namespaces, loadBalancers } = hns.dump();
  const read = <T>(reader: (json: string) => T, documents: readonly object[]) =>
    documents.map((document) => reader(JSON.stringify(document)));
  const interfaces = hns.hostInterfaces();
  const adapters = interfaces.map(
    ({ alias, description, index, mac, mtu, metric, isUp, mediaType, addresses, gateways }): HostAdapter => ({
      index,
      alias,
      description,
      mac,
      mtu,
      isUp,
      mediaType,
      addresses: addresses.map(prefixOf),
      gateways,
      metric,
    }),
  );
  return {
    inventory: {
      networks: read(readNetwork, networks),
      endpoints: read(readEndpoint, endpoints),
      namespaces: read(readNamespace, namespaces),
      loadBalancers: read(readLoadBalancer, loadBalancers),
    },
    adapters,
    routes: hns.nodeRoutes(),
    forwarding: interfaces.map(({ index, forwarding }) => ({ index, family: 'IPv4', isEnabled: forwarding })),
  };
}
