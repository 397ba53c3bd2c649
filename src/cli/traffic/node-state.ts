import { addressesIn, type ObservedEndpoint, type ObservedNetwork } from '../../hcn/documents.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isHostNamespace, isRemote } from '../../model/ownership.ts';
import { type Family, familyOf, isLinkLocal, isUnspecified } from '../../net/address.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { NodeRoute } from '../../net/node-route.ts';
import { contains, parsePrefix } from '../../net/prefix.ts';
import { isUplink } from '../../plan/host-endpoint.ts';
import type { InterfaceForwarding } from '../terminal/node-queries.ts';
import { longestMatch } from './match.ts';

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
  return node.inventory.endpoints.find(
    (endpoint) =>
      !isRemote(endpoint) &&
      addressesIn(endpoint).includes(address) &&
      networks.some(({ ID }) => ID === endpoint.HostComputeNetwork),
  );
}

/** Whether an endpoint belongs to the node itself: it is in the namespace of the host, or an adapter has its address; V1's may be in none. */
export function isHostEndpoint(
  endpoint: ObservedEndpoint,
  node: Pick<NodeState, 'inventory' | 'adapters'>,
): boolean {
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
export function adapterWith(node: Pick<NodeState, 'adapters'>, address: string): HostAdapter | undefined {
  return node.adapters.find(({ addresses }) => addresses.some((own) => own.address === address));
}

/** The adapter of the node with the index of an interface; undefined if Windows does not return it. */
export function adapterAt(node: Pick<NodeState, 'adapters'>, index: number): HostAdapter | undefined {
  return node.adapters.find((adapter) => adapter.index === index);
}

/** The name of an interface: its alias, otherwise its index. */
export function interfaceName(node: Pick<NodeState, 'adapters'>, index: number): string {
  return adapterAt(node, index)?.alias ?? `interface ${index}`;
}

/** The adapters of the node through which a network's virtual switch reaches the physical network. */
export function uplinksOf(
  { adapters }: Pick<NodeState, 'adapters'>,
  network: ObservedNetwork,
): readonly HostAdapter[] {
  return adapters.filter((adapter) => adapter.addresses.length > 0 && isUplink(adapter, network, adapters));
}

/** Whether an address is also in the subnet of the node: then the network's pods are on the physical network. */
export function isInLan(
  network: ObservedNetwork,
  address: string,
  node: Pick<NodeState, 'adapters'>,
): boolean {
  return uplinksOf(node, network).some(({ addresses }) => addresses.some((own) => contains(own, address)));
}

/**
 * The node's address on a network, which HNS uses as the source of translated traffic: the provider address of an Overlay network, or the
 * only address of the network's uplink. Undefined if it is not certain.
 */
export function managementAddress(
  node: Pick<NodeState, 'adapters'>,
  network: ObservedNetwork | undefined,
  family: Family,
): string | undefined {
  if (network === undefined) return undefined;
  const provider = providerAddressOf(network);
  if (provider !== undefined && familyOf(provider) === family) return provider;
  const [only, ...others] = uplinksOf(node, network)
    .flatMap(({ addresses }) => addresses.map(({ address }) => address))
    .filter((address) => familyOf(address) === family && !isLinkLocal(address));
  return others.length === 0 ? only : undefined;
}

/**
 * Chooses the route by which a node sends to an address: with the longest prefix, then the lowest metric. Undefined without a route.
 * `text`: as `route 10.0.0.0/24 on-link on interface 5`.
 */
export function chooseRoute(node: Pick<NodeState, 'adapters' | 'routes'>, address: string) {
  const costOf = (row: NodeRouteRow) => row.metric + (adapterAt(node, row.interfaceIndex)?.metric ?? 0);
  const routes = node.routes.toSorted((one, other) => costOf(one) - costOf(other));
  const row = longestMatch(routes, (one) => one.prefix, address);
  if (row === undefined) return undefined;
  const { prefix, interfaceIndex, nextHop } = row;
  const isOnLink = isUnspecified(nextHop);
  const text = `route ${prefix} ${isOnLink ? 'on-link' : `via ${nextHop}`} on interface ${interfaceIndex}`;
  return { prefix, interfaceIndex, nextHop: isOnLink ? address : nextHop, text };
}

/** The source address of the node's own packets to an address; undefined if the interface has none of its family. */
export function sourceTo(node: NodeState, address: string): string | undefined {
  const choice = chooseRoute(node, address);
  const addresses = choice && adapterAt(node, choice.interfaceIndex)?.addresses;
  return addresses?.find((own) => familyOf(own.address) === familyOf(address))?.address;
}
