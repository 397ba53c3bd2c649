import { addressesIn, type ObservedEndpoint, type ObservedNetwork } from '../../hcn/documents.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { subnetsOf } from '../../model/network-document.ts';
import { isHostNamespace, isRemote } from '../../model/ownership.ts';
import type { Family } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { NodeRoute } from '../../net/node-route.ts';
import { contains, parsePrefix } from '../../net/prefix.ts';

/** What a node's data path depends on, as Windows returned it. */
export interface NodeState {
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
  /** The node's route table, both families. */
  readonly routes: readonly NodeRouteRow[];
  /** Whether interfaces forward packets. An interface and family that is missing is unknown. */
  readonly forwarding: readonly InterfaceForwarding[];
}

/** The members of a node route that decide where a packet goes. */
export type NodeRouteRow = Omit<NodeRoute, 'protocol'>;

export interface InterfaceForwarding {
  readonly index: number;
  readonly family: Family;
  readonly isEnabled: boolean;
}

/** The network of an endpoint; undefined if it is gone. */
export function networkOf(endpoint: ObservedEndpoint, node: NodeState): ObservedNetwork | undefined {
  return findById(node.inventory.networks, endpoint.HostComputeNetwork);
}

/** The endpoint of this node with a canonical address, on the given networks or on any. */
export function localEndpoint(
  node: NodeState,
  address: string,
  networks: readonly ObservedNetwork[] = node.inventory.networks,
): ObservedEndpoint | undefined {
  const ids = networks.map(({ ID }) => ID);
  return node.inventory.endpoints.find(
    (endpoint) =>
      !isRemote(endpoint) &&
      ids.includes(endpoint.HostComputeNetwork) &&
      addressesIn(endpoint).includes(address),
  );
}

/** Whether an endpoint belongs to the node itself: it is in the namespace of the host, or an adapter of the node has its address. */
export function isHostEndpoint(endpoint: ObservedEndpoint, node: NodeState): boolean {
  const namespace = findById(node.inventory.namespaces, endpoint.HostComputeNamespace);
  if (namespace !== undefined && isHostNamespace(namespace)) return true;
  return addressesIn(endpoint).some((address) => adapterWith(node, address) !== undefined);
}

/** Whether a subnet of a network contains an address. 0.0.0.0/0 and ::/0 do not count: they contain every address. */
export function hasSubnetWith(network: ObservedNetwork, address: string): boolean {
  return subnetsOf(network).some(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return prefix !== undefined && prefix.length > 0 && contains(prefix, address);
  });
}

/** The adapter of the node that has an address. */
export function adapterWith(node: NodeState, address: string): HostAdapter | undefined {
  return node.adapters.find(({ addresses }) => addresses.some((own) => own.address === address));
}

/** The index of the interface that has an address of the node and so receives its packets. */
export function receiverOf(node: NodeState, address: string): number | 'unknown' {
  return adapterWith(node, address)?.index ?? 'unknown';
}

/** The adapter of the node with the index of an interface; undefined if Windows does not return it. */
export function adapterAt(node: Pick<NodeState, 'adapters'>, index: number): HostAdapter | undefined {
  return node.adapters.find((adapter) => adapter.index === index);
}

/** The name of an interface: its alias, otherwise its index. */
export function interfaceName(node: NodeState, index: number): string {
  return adapterAt(node, index)?.alias ?? `interface ${index}`;
}

/** Whether an interface forwards packets of a family; undefined if unknown. */
export function isForwarding(node: NodeState, index: number, family: Family): boolean | undefined {
  return node.forwarding.find((one) => one.index === index && one.family === family)?.isEnabled;
}
