import { CniError, code } from '../../cni/error.ts';
import type { RemoteSubnet } from '../../config/network-config.ts';
import { familyOf, isHostAddress, isLoopback } from '../../net/address.ts';
import { overlapGroups } from '../../net/overlaps.ts';
import { isNested, overlaps, parsePrefix, withLength } from '../../net/prefix.ts';
import { addressesOf, type ClusterNode } from './cluster-node.ts';
import { type Underlay, wayTo } from './node-tunnel.ts';

/** This node's part of the decision. Addresses and prefixes are canonical. */
export interface OwnSide {
  /** The network's name, for messages. */
  readonly network: string;
  readonly underlay: Underlay;
  /** The network's own subnets. */
  readonly subnets: readonly string[];
  /** The addresses of the node's adapters, those of the network's first. */
  readonly addresses: readonly string[];
  /** The next hops of the node's default routes. */
  readonly gateways: readonly string[];
  /** The subnets that the configuration file routes itself. */
  readonly configured: readonly string[];
}

/** A node that gets no remote subnet, or not for all its pod subnets. */
export interface SkippedNode {
  readonly name: string;
  /** A clause about the node, such as `has no pod subnet`. */
  readonly reason: string;
  /** Whether the configuration file has the subnet. */
  readonly isInFile?: true;
  /** What may be the node's: its existing remote subnets stay. Undefined subnets: any may be. */
  readonly holds: { readonly subnets: readonly string[] | undefined; readonly addresses: readonly string[] };
}

export interface RemoteSubnetsOfNodes {
  readonly own: ClusterNode;
  readonly wanted: readonly RemoteSubnet[];
  readonly skipped: readonly SkippedNode[];
}

/**
 * Returns the remote subnets of the cluster's other nodes. Throws CniError if this node is not among them: the list is then of another
 * cluster, or a part of this one.
 */
export function remoteSubnetsOfNodes(listed: readonly ClusterNode[], side: OwnSide): RemoteSubnetsOfNodes {
  const nodes = withoutRepetitions(listed);
  const own = findOwnNode(nodes, side);
  const offers = nodes.filter((node) => node !== own).map((node) => offerOf(node, side));
  const candidates = offers.flatMap(({ node, remotes }) => remotes.map((remote) => ({ node, remote })));
  const clashes = findClashes(candidates, side);
  const clashReason = ({ node, remote }: Candidate) => clashes.get(clashKey(node, remote));
  return {
    own,
    wanted: candidates.filter((one) => clashReason(one) === undefined).map(({ remote }) => remote),
    skipped: offers.flatMap(({ node, remotes, skipped }) => [
      ...skipped,
      ...remotes.flatMap((remote) => clashReason({ node, remote }) ?? []),
    ]),
  };
}

/** Two pages of a list may contain the same node. */
function withoutRepetitions(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
  return [...new Map(nodes.map((node) => [JSON.stringify(node), node])).values()];
}

interface Candidate {
  readonly node: ClusterNode;
  readonly remote: RemoteSubnet;
}

/** By its addresses, in their order, otherwise by the network's subnet. */
function findOwnNode(nodes: readonly ClusterNode[], { network, addresses, subnets }: OwnSide): ClusterNode {
  const hasSubnet = ({ podSubnets = [] }: ClusterNode) => podSubnets.some((one) => subnets.includes(one));
  const hosted = addresses.flatMap((address) => nodes.filter((node) => hasOwnAddress(node, [address])));
  const host = hosted.find(hasSubnet) ?? hosted[0];
  if (host !== undefined) return host;
  const [own, ...others] = nodes.filter(hasSubnet);
  const subnet = `${subnets.join(' or ')}, the subnet of network "${network}"`;
  if (own !== undefined && others.length > 0) {
    const names = [own, ...others].map(({ name }) => `"${name}"`).join(' and ');
    throw refusal(`no node has an address of this one, and nodes ${names} have ${subnet}`);
  }
  if (own !== undefined) return own;
  const problem = nodes.length === 0 ? 'the list of nodes is empty' : 'this node is not in the list of nodes';
  throw refusal(`${problem}: no node has one of its addresses, or ${subnet}`);
}

function refusal(problem: string): CniError {
  return new CniError(code.invalidConfig, problem, {
    details:
      'Pass all nodes of the cluster, without a selector: kubectl get nodes -o json. To delete all remote subnets, set ' +
      '"remoteSubnets": [] in the configuration and leave out --nodes.',
  });
}

function hasOwnAddress(node: ClusterNode, addresses: readonly string[]): boolean {
  return addressesOf(node).some((address) => !isLoopback(address) && addresses.includes(address));
}

/** The first skipped node that a remote subnet, which leads to the address `via`, may belong to. */
export function holderOf(
  { subnet, via }: { readonly subnet: string; readonly via: string | undefined },
  skipped: readonly SkippedNode[],
): SkippedNode | undefined {
  const prefix = parsePrefix(subnet);
  const isSubnet = (text: string) => {
    const other = parsePrefix(text);
    return prefix === undefined || (other !== undefined && overlaps(prefix, other));
  };
  return skipped.find(
    ({ holds: { subnets, addresses } }) =>
      subnets === undefined || subnets.some(isSubnet) || (via !== undefined && addresses.includes(via)),
  );
}

/** What a node offers by itself, before it is compared with others. */
interface Offer {
  readonly node: ClusterNode;
  readonly remotes: readonly RemoteSubnet[];
  readonly skipped: readonly SkippedNode[];
}

function offerOf(node: ClusterNode, side: OwnSide): Offer {
  const { podSubnets } = node;
  const skip = (reason: string): Offer => ({ node, remotes: [], skipped: [skippedNode(node, reason)] });
  if (podSubnets === undefined) return skip('has pod subnets that cannot be read');
  if (hasOwnAddress(node, side.addresses)) return skip('has an address of this node');
  const families = new Set(side.subnets.map(familyOf));
  const relevant = podSubnets.filter((subnet) => families.has(familyOf(subnet)));
  if (relevant.length === 0)
    return skip(
      podSubnets.length === 0 ? 'has no pod subnet yet' : "has no pod subnet of the network's address family",
    );
  const ways = relevant.map((subnet) => {
    const isUnicast = isHostAddress(parsePrefix(subnet)?.address ?? subnet);
    const reason = `has pod subnet ${subnet}, which is not unicast`;
    return { subnet, way: isUnicast ? wayTo(subnet, node, side.underlay) : { reason } };
  });
  return {
    node,
    remotes: ways.flatMap(({ way }) => ('remote' in way ? way.remote : [])),
    skipped: ways.flatMap(({ subnet, way }) =>
      'reason' in way ? skippedNode(node, way.reason, [subnet]) : [],
    ),
  };
}

/** By default, everything that may be the node's is held. */
function skippedNode(
  node: ClusterNode,
  reason: string,
  subnets: readonly string[] | undefined = node.podSubnets,
): SkippedNode {
  return { name: node.name, reason, holds: { subnets, addresses: addressesOf(node) } };
}

function clashKey({ name }: ClusterNode, { subnet }: RemoteSubnet): string {
  return `${subnet} ${name}`;
}

/** Why candidates cannot be set beside each other, or beside the network's and the configured subnets, by node and subnet. */
function findClashes(
  candidates: readonly Candidate[],
  { network, subnets, addresses, gateways, configured }: OwnSide,
): ReadonlyMap<string, SkippedNode> {
  const clashes = new Map<string, SkippedNode>();
  const clash = ({ node, remote }: Candidate, reason: string, holds?: readonly string[]) => {
    const skipped = skippedNode(node, reason, holds ?? [remote.subnet]);
    const isHeld = holds === undefined;
    const one: SkippedNode = isHeld
      ? skipped
      : { ...skipped, isInFile: true, holds: { subnets: [], addresses: [] } };
    if (!clashes.has(clashKey(node, remote))) clashes.set(clashKey(node, remote), one);
  };
  const fixed = [
    ...subnets.map((subnet) => ({ subnet, of: 'network' as const })),
    ...[...addresses, ...gateways].map((own) => ({ subnet: withLength(own), of: 'node' as const })),
    ...configured.map((subnet) => ({ subnet, of: 'file' as const })),
  ];
  const offered = candidates.map((of) => ({ subnet: of.remote.subnet, of }));
  for (const group of overlapGroups([...fixed, ...offered])) {
    const here = group.flatMap(({ subnet, of }) => (typeof of === 'string' ? { subnet, of } : []));
    for (const { subnet, of } of group) {
      if (typeof of === 'string') continue;
      const others = here.filter((one) => isNested(one.subnet, subnet));
      const findOther = (kind: string) => others.find((one) => one.of === kind)?.subnet;
      const [ofNetwork, ofNode, ofFile] = ['network', 'node', 'file'].map(findOther);
      if (ofNetwork !== undefined)
        clash(
          of,
          `has pod subnet ${subnet}, which overlaps ${ofNetwork} of network "${network}" on this node`,
        );
      else if (ofNode !== undefined)
        clash(of, `has pod subnet ${subnet}, which contains ${ofNode}, an address or gateway of this node`);
      else if (ofFile !== undefined)
        clash(of, `has pod subnet ${subnet}, and ${ofFile} of the configuration takes precedence`, []);
    }
  }
  // The first subnet of a group contains the others.
  const free = offered.filter(({ of: { node, remote } }) => !clashes.has(clashKey(node, remote)));
  for (const group of overlapGroups(free))
    for (const { subnet, of } of group) {
      const other = group.find((one) => one.of !== of);
      if (other === undefined) continue;
      const isSelf = other.of.node.name === of.node.name;
      const whose = isSelf ? 'this node, which the list has twice' : `node "${other.of.node.name}"`;
      clash(of, `has pod subnet ${subnet}, which overlaps ${other.subnet} of ${whose}`);
    }
  for (const same of sharedMacs(candidates))
    for (const candidate of same) {
      const other = same.find(({ node }) => node !== candidate.node);
      if (other !== undefined && 'macAddress' in candidate.remote)
        clash(
          candidate,
          `has VtepMAC ${candidate.remote.macAddress}, which node "${other.node.name}" has too`,
        );
    }
  return clashes;
}

/** The candidates of each MAC address. */
function sharedMacs(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const byMac = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (!('macAddress' in candidate.remote)) continue;
    const { macAddress } = candidate.remote;
    const same = byMac.get(macAddress);
    if (same === undefined) byMac.set(macAddress, [candidate]);
    else same.push(candidate);
  }
  return [...byMac.values()];
}
