import { CniError, code } from '../../cni/error.ts';
import type { RemoteSubnet } from '../../config/network-config.ts';
import { familyOf, isHostAddress, isLoopback } from '../../net/address.ts';
import { overlapGroups } from '../../net/overlaps.ts';
import { isNested, overlaps, parsePrefix, withLength } from '../../net/prefix.ts';
import { addressesOf, type ClusterNode } from './cluster-node.ts';
import { type Underlay, wayTo } from './way-to-node.ts';

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

/** The remote subnets that a list of nodes asks for. */
export interface ClusterRoutes {
  readonly own: ClusterNode;
  readonly wanted: readonly RemoteSubnet[];
  readonly skipped: readonly SkippedNode[];
}

/**
 * Returns the remote subnets of the cluster's other nodes. Throws CniError if this node is not among them: the list is then of another
 * cluster, or a part of this one.
 */
export function clusterRoutes(listed: readonly ClusterNode[], side: OwnSide): ClusterRoutes {
  // Two pages of a list may contain the same node.
  const nodes = [...new Map(listed.map((node) => [JSON.stringify(node), node])).values()];
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

function offersOf(node: ClusterNode, side: OwnSide): readonly (Candidate | SkippedNode)[] {
  const { podSubnets } = node;
  const skip = (reason: string) => [skippedNode(node, reason)];
  if (podSubnets === undefined) return skip('has pod subnets that cannot be read');
  if (hasOwnAddress(node, side.addresses)) return skip('has an address of this node');
  if (podSubnets.length === 0) return skip('has no pod subnet yet');
  const families = new Set(side.subnets.map(familyOf));
  const relevant = podSubnets.filter((subnet) => families.has(familyOf(subnet)));
  if (relevant.length === 0) return skip("has no pod subnet of the network's address family");
  return relevant.map((subnet) => {
    if (!isHostAddress(parsePrefix(subnet)?.address ?? subnet))
      return skippedNode(node, `has pod subnet ${subnet}, which is not unicast`, [subnet]);
    const way = wayTo(subnet, node, side.underlay);
    return 'remote' in way ? { node, remote: way.remote } : skippedNode(node, way.reason, [subnet]);
  });
}

/** By default, everything that may be the node's is held. */
function skippedNode(
  node: ClusterNode,
  reason: string,
  subnets: readonly string[] | undefined = node.podSubnets,
): SkippedNode {
  return { name: node.name, reason, holds: { subnets, addresses: addressesOf(node) } };
}

/** Why candidates cannot be set beside each other, or beside what this node and the file have. */
function findClashes(
  candidates: readonly Candidate[],
  { network, subnets, addresses, gateways, configured }: OwnSide,
): ReadonlyMap<Candidate, SkippedNode> {
  const clashes = new Map<Candidate, SkippedNode>();
  const taken = [
    ...subnets.map((subnet) => ({
      subnet,
      text: `which overlaps ${subnet} of network "${network}" on this node`,
    })),
    ...[...addresses, ...gateways].map((own) => ({
      subnet: withLength(own),
      text: `which contains ${withLength(own)}, an address or gateway of this node`,
    })),
    ...configured.map((subnet) => ({ subnet, text: undefined })),
  ];
  const offered = candidates.map((candidate) => ({ subnet: candidate.remote.subnet, candidate }));
  for (const group of overlapGroups([...taken, ...offered])) {
    const fixed = group.flatMap((one) => ('candidate' in one ? [] : one));
    // The order of `taken` decides, not that of the group.
    const ordered = taken.filter((one) => fixed.includes(one));
    for (const one of group) {
      if (!('candidate' in one)) continue;
      const { candidate, subnet } = one;
      const found = ordered.find((other) => isNested(other.subnet, subnet));
      if (found?.text !== undefined)
        clashes.set(
          candidate,
          skippedNode(candidate.node, `has pod subnet ${subnet}, ${found.text}`, [subnet]),
        );
      else if (found !== undefined)
        clashes.set(candidate, {
          name: candidate.node.name,
          reason: `has pod subnet ${subnet}, and ${found.subnet} of the configuration takes precedence`,
          isInFile: true,
          holds: { subnets: [], addresses: [] },
        });
    }
  }
  for (const group of overlapGroups(offered.filter(({ candidate }) => !clashes.has(candidate))))
    for (const { subnet, candidate } of group) {
      const other = group.find((one) => one.candidate !== candidate);
      if (other === undefined) continue;
      const reason = `has pod subnet ${subnet}, which overlaps ${other.subnet} of node "${other.candidate.node.name}"`;
      clashes.set(candidate, skippedNode(candidate.node, reason, [subnet]));
    }
  for (const [mac, same] of Map.groupBy(candidates, macOf))
    for (const candidate of mac === undefined ? [] : same) {
      const { node, remote } = candidate;
      const other = same.find((one) => one.node !== node);
      if (other === undefined || clashes.has(candidate)) continue;
      const reason = `has VtepMAC ${mac}, which node "${other.node.name}" has too`;
      clashes.set(candidate, skippedNode(node, reason, [remote.subnet]));
    }
  return clashes;
}

function macOf({ remote }: Candidate): string | undefined {
  return 'macAddress' in remote ? remote.macAddress : undefined;
}
