import { CniError, code, invalidConfig } from '../../cni/error.ts';
import type { CurrentSubnet, RoutingGoal, RoutingState } from '../../commands/sync-remote-subnets.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay, isPolicyOf, prefixesOf } from '../../model/network-document.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { canonicalPrefix, formatPrefix, isNested, networkOf, withLength } from '../../net/prefix.ts';
import { findUplink } from '../../plan/host-endpoint.ts';
import { remoteSubnetsOf, vsidOf } from '../../plan/remote-subnets.ts';
import type { ClusterNode } from './cluster-node.ts';
import { clusterRoutes, holderOf, type OwnSide, type SkippedNode } from './cluster-routes.ts';

/** What the configuration and the nodes of the cluster ask for. */
export interface SyncGoal extends RoutingGoal {
  readonly skipped: readonly SkippedNode[];
  /** Whether the list has other nodes, and all of them are skipped and not in the configuration file. */
  readonly isUnconnected: boolean;
  /** The skipped node that an unwanted remote subnet stays for. */
  readonly holder: (current: CurrentSubnet) => string | undefined;
  readonly warnings: readonly string[];
}

/**
 * The remote subnets of the configuration, and those of the nodes if a list of nodes is given. Routes that `networkPolicies` configures
 * stay. Throws CniError if this node is not in the list, or has other pod subnets there and the sync is not forced.
 */
export function chooseGoal(
  config: NetworkConfig,
  nodes: readonly ClusterNode[] | undefined,
  state: RoutingState,
  isForced: boolean,
): SyncGoal {
  const side = ownSideOf(config, state);
  const unmanaged = new Set(subnetsInPolicies(config));
  const { wanted = [], skipped = [], own } = nodes === undefined ? {} : clusterRoutes(nodes, side);
  const mismatch = own && mismatchOf(own, side);
  if (mismatch !== undefined && !isForced) throw invalidConfig(mismatch, ofWhichCluster);
  const holder = (current: CurrentSubnet) => holderOf(current, skipped)?.name;
  return {
    wanted: [...config.remoteSubnets, ...wanted],
    keeps: (current) => unmanaged.has(current.subnet) || holder(current) !== undefined,
    skipped,
    isUnconnected: wanted.length === 0 && skipped.length > 0 && !skipped.some(({ isInFile }) => isInFile),
    holder: (current) => (unmanaged.has(current.subnet) ? undefined : holder(current)),
    warnings: mismatch === undefined ? [] : [`${mismatch}: other nodes cannot reach its pods`],
  };
}

function ownSideOf(config: NetworkConfig, { network, adapters, table }: RoutingState): OwnSide {
  const uplink = findUplink(network, adapters)?.addresses ?? [];
  const addresses = [...uplink, ...adapters.flatMap((adapter) => adapter.addresses)];
  return {
    network: network.Name,
    underlay:
      table === undefined ? { type: 'Overlay', vsid: vsidOf(network) } : { type: 'L2Bridge', onLink: uplink },
    subnets: prefixesOf(network).map((prefix) => formatPrefix(networkOf(prefix))),
    gateways: adapters.flatMap((adapter) => adapter.gateways),
    addresses: addresses.map(({ address }) => address),
    configured: [...config.remoteSubnets.map(({ subnet }) => subnet), ...subnetsInPolicies(config)],
  };
}

/** The subnets that a configuration routes by policies in HCN's own form. */
function subnetsInPolicies({ networkPolicies }: NetworkConfig): readonly string[] {
  return networkPolicies
    .filter((policy) => isPolicyOf('RemoteSubnetRoute', policy))
    .flatMap(({ Settings }) => canonicalPrefix(String(Settings?.['DestinationPrefix'])) ?? [])
    .map(withLength);
}

const ofWhichCluster =
  'Either the list of nodes is of another cluster, or the network is older than the pod subnet of this node: then delete the network, ' +
  'and create it with the pod subnet. --force uses the list anyway.';

/** The other nodes send to the pod subnet that this node has in the list. */
function mismatchOf(
  { name, podSubnets = [] }: ClusterNode,
  { network, subnets }: OwnSide,
): string | undefined {
  const isOfNetwork = (subnet: string) => subnets.some((one) => isNested(one, subnet));
  if (podSubnets.length === 0 || podSubnets.some(isOfNetwork)) return undefined;
  return (
    `node "${name}", which is this one, has pod subnet ${podSubnets.join(' and ')}, but network "${network}" has ` +
    subnets.join(' and ')
  );
}

/** The names that agents give their networks. */
const namesOfAgents = [
  { agent: 'flanneld', name: /^flannel\.\d+$/i },
  { agent: "Calico's agent", name: /^calico/i },
  { agent: 'the hybrid overlay of OVN-Kubernetes', name: /^(base)?ovnkubernetes/i },
];

/**
 * Throws CniError if another program manages a network's remote subnets, by the network's name or the form of its policies: HNS keeps
 * MAC addresses as they were sent, and win-hcn sends `00-15-5D-0A-0B-0C`.
 */
export function refuseOtherAgent(network: ObservedNetwork): void {
  const named = namesOfAgents.find(({ name }) => name.test(network.Name));
  if (named !== undefined)
    throw otherAgent(network, `${named.agent} manages its remote subnets, as its name shows`);
  if (!isOverlay(network) || isOwnNetwork(network)) return;
  for (const { subnet, policy } of remoteSubnetsOf(network)) {
    const mac = String(policy.Settings?.['DistributedRouterMacAddress']);
    if (!/^([0-9A-F]{2}-){5}[0-9A-F]{2}$/.test(mac))
      throw otherAgent(
        network,
        `another program manages its remote subnets, as MAC address ${mac} of ${subnet} shows: win-hcn writes 00-15-5D-0A-0B-0C`,
      );
  }
}

function otherAgent({ Name }: ObservedNetwork, because: string): CniError {
  return new CniError(code.invalidConfig, `network "${Name}" is not changed: ${because}`, {
    details:
      'Two programs that set the remote subnets of one network overwrite each other. Stop the other one on this node, then use --force.',
  });
}
