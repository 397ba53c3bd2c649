import { invalidConfig, shortMessage } from '../../cni/error.ts';
import type { RoutingState } from '../../commands/sync-remote-subnets.ts';
import type { NetworkConfig, RemoteSubnet } from '../../config/network-config.ts';
import { parseObject } from '../../json/members.ts';
import { prefixesOf } from '../../model/network-document.ts';
import { familyOf, isLoopback } from '../../net/address.ts';
import { parseUnicastMac } from '../../net/mac.ts';
import { earlierOverlaps, overlapGroups, parseSubnet } from '../../net/overlaps.ts';
import { formatPrefix, isHostIn, networkOf, withLength } from '../../net/prefix.ts';
import { findUplink } from '../../plan/host-endpoint.ts';
import { policySubnets, vsidOf } from '../../plan/remote-subnets.ts';
import { addressesOf, type ClusterNode, flannelAnnotations } from './cluster-node.ts';

/** This node's part of the decision. Addresses and prefixes are canonical. */
export type OwnSide = ReturnType<typeof ownSideOf>;

/** Reads this node's part: the addresses of its adapters, those of the network's first, and the subnets that the file routes itself. */
export function ownSideOf(config: NetworkConfig, { network, adapters, table }: RoutingState) {
  const uplink = findUplink(network, adapters)?.addresses ?? [];
  const addresses = [...uplink, ...adapters.flatMap((adapter) => adapter.addresses)];
  return {
    network: network.Name,
    // What decides how the network reaches other nodes' pods: the VSID of its own subnet, or the prefixes of its interface.
    underlay:
      table === undefined
        ? { type: 'Overlay' as const, vsid: vsidOf(network) }
        : { type: 'L2Bridge' as const, onLink: uplink },
    subnets: prefixesOf(network).map((prefix) => formatPrefix(networkOf(prefix))),
    gateways: adapters.flatMap((adapter) => adapter.gateways),
    addresses: addresses.map(({ address }) => address),
    configured: [...config.remoteSubnets.map(({ subnet }) => subnet), ...policySubnets(config)],
  };
}

/** A node that gets no remote subnet, or not for all its pod subnets. */
interface SkippedNode {
  readonly name: string;
  /** A clause about the node, such as `has no pod subnet`. */
  readonly reason: string;
  /** Whether the configuration file has the subnet. */
  readonly isInFile?: boolean;
}

/**
 * Returns the remote subnets of the cluster's other nodes. Throws CniError if this node is not among them: the list is then of another
 * cluster, or a part of this one.
 */
export function clusterRoutes(nodes: readonly ClusterNode[], side: OwnSide) {
  const own = findOwnNode(nodes, side);
  const offers = nodes.filter((node) => node !== own).flatMap((node) => offersOf(node, side));
  const candidates = offers.filter((one): one is Candidate => 'remote' in one);
  const clashes = findClashes(candidates, side);
  return {
    own,
    wanted: candidates.filter((one) => !clashes.has(one)).map(({ remote }) => remote),
    skipped: offers.flatMap((one) => ('remote' in one ? (clashes.get(one) ?? []) : one)),
  };
}

/** A remote subnet that a node offers by itself, before it is compared with others. */
interface Candidate {
  readonly node: ClusterNode;
  readonly remote: RemoteSubnet;
}

/** By its addresses, in their order, otherwise by the network's subnet. */
function findOwnNode(nodes: readonly ClusterNode[], { network, addresses, subnets }: OwnSide): ClusterNode {
  const hasSubnet = ({ podSubnets }: ClusterNode) => podSubnets.some((one) => subnets.includes(one));
  const hosted = addresses.flatMap((address) => nodes.filter((node) => hasOwnAddress(node, [address])));
  const own = hosted.find(hasSubnet) ?? hosted[0] ?? nodes.find(hasSubnet);
  if (own !== undefined) return own;
  throw invalidConfig(
    `this node is not in the list of nodes: no node has one of its addresses, or ${subnets.join(' or ')}, the subnet of network "${network}"`,
    'Pass all nodes of the cluster, without a selector: kubectl get nodes -o json. To delete all remote subnets, set ' +
      '"remoteSubnets": [] in the configuration and leave out --nodes.',
  );
}

function hasOwnAddress(node: ClusterNode, addresses: readonly string[]): boolean {
  return addressesOf(node).some((address) => !isLoopback(address) && addresses.includes(address));
}

function offersOf(node: ClusterNode, side: OwnSide): readonly (Candidate | SkippedNode)[] {
  const { podSubnets, problem } = node;
  const skip = (reason: string) => ({ name: node.name, reason });
  if (problem !== undefined) return [skip(problem)];
  if (hasOwnAddress(node, side.addresses)) return [skip('has an address of this node')];
  if (podSubnets.length === 0) return [skip('has no pod subnet yet')];
  const families = new Set(side.subnets.map(familyOf));
  const relevant = podSubnets.filter((subnet) => families.has(familyOf(subnet)));
  if (relevant.length === 0) return [skip("has no pod subnet of the network's address family")];
  return relevant.map((subnet) => {
    const way = wayTo(subnet, node, side.underlay);
    return typeof way === 'string' ? skip(way) : { node, remote: way };
  });
}

/** The remote subnet for a pod subnet of a node, as flannel would choose it, or why there is none: a clause about the node. */
function wayTo(
  subnet: string,
  { flannel, internalAddresses }: ClusterNode,
  underlay: OwnSide['underlay'],
): RemoteSubnet | string {
  const family = familyOf(subnet);
  const { backendType, publicAddress } = flannel;
  const expected = underlay.type === 'Overlay' ? 'vxlan' : 'host-gw';
  if (backendType !== undefined && backendType !== expected)
    return `uses flannel's backend ${shortMessage(backendType, 60)}, expected ${expected} for an ${underlay.type} network`;
  if (underlay.type === 'L2Bridge') {
    const published = backendType === undefined ? undefined : publicAddress[family];
    const nextHop = published ?? internalAddresses.find((address) => familyOf(address) === family);
    if (nextHop === undefined) return `has no ${family} address of type InternalIP`;
    if (underlay.onLink.some((prefix) => isHostIn(prefix, nextHop))) return { subnet, nextHop };
    return `has ${nextHop}, which is no host address in a subnet of the network's interface, so no route can lead there`;
  }
  if (backendType === undefined) return `has no annotation ${flannelAnnotations.backendType}`;
  const key = flannelAnnotations.backendData[family];
  const text = flannel.backendData[family];
  if (text === undefined) return `has no annotation ${key}`;
  const tunnel = readBackendData(text);
  // flanneld publishes the annotation before HNS has chosen the MAC address.
  if (tunnel === undefined)
    return `has no valid VNI and VtepMAC in annotation ${key} yet: ${shortMessage(text, 60)}`;
  const { vni, macAddress } = tunnel;
  const { vsid } = underlay;
  if (vsid !== undefined && vni !== vsid) return `has VNI ${vni}, but this node's network has ${vsid}`;
  const providerAddress = publicAddress[family];
  if (providerAddress === undefined)
    return `has no address in annotation ${flannelAnnotations.publicAddress[family]}`;
  return { subnet, providerAddress, macAddress, ...(vni !== vsid && { vsid: vni }) };
}

/** Windows refuses smaller VNIs. https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md */
const leastVni = 4096;
const greatestVni = 16_777_214;

function readBackendData(text: string): { readonly vni: number; readonly macAddress: string } | undefined {
  const { VNI: vni, VtepMAC } = parseObject(text);
  const macAddress = typeof VtepMAC === 'string' ? parseUnicastMac(VtepMAC) : undefined;
  const isVni = typeof vni === 'number' && Number.isInteger(vni) && vni >= leastVni && vni <= greatestVni;
  return isVni && macAddress !== undefined ? { vni, macAddress } : undefined;
}

/** Why candidates cannot be set beside what this node and the file have, or beside each other. */
function findClashes(
  candidates: readonly Candidate[],
  { network, subnets, addresses, gateways, configured }: OwnSide,
): ReadonlyMap<Candidate, SkippedNode> {
  const clashes = new Map<Candidate, SkippedNode>();
  const taken = [
    ...subnets.map((subnet) => ({ subnet, text: `which overlaps ${subnet} of network "${network}"` })),
    ...[...addresses, ...gateways].map(withLength).map((subnet) => ({
      subnet,
      text: `which contains ${subnet}, an address or gateway of this node`,
    })),
    ...configured.map((subnet) => ({
      subnet,
      text: `and ${subnet} of the configuration takes precedence`,
      isInFile: true,
    })),
  ];
  const offered = candidates.map((candidate) => ({ subnet: candidate.remote.subnet, candidate }));
  const clash = ({ node, remote }: Candidate, text: string, isInFile = false) => ({
    name: node.name,
    reason: `has pod subnet ${remote.subnet}, ${text}`,
    ...(isInFile && { isInFile }),
  });
  const firstOverlaps = earlierOverlaps([...taken, ...offered].map(({ subnet }) => parseSubnet(subnet)));
  for (const [index, candidate] of candidates.entries()) {
    const first = firstOverlaps.get(taken.length + index);
    const found = first === undefined ? undefined : taken[first];
    if (found !== undefined) clashes.set(candidate, clash(candidate, found.text, 'isInFile' in found));
  }
  for (const group of overlapGroups(offered.filter(({ candidate }) => !clashes.has(candidate))))
    for (const { candidate } of group) {
      const other = group.find((one) => one.candidate !== candidate)?.candidate;
      if (other === undefined) continue;
      const text = `which overlaps ${other.remote.subnet} of node "${other.node.name}"`;
      clashes.set(candidate, clash(candidate, text));
    }
  return clashes;
}
