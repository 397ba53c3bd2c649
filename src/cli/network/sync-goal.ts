import { CniError, code } from '../../cni/error.ts';
import type { CurrentSubnet, RoutingGoal, RoutingState } from '../../commands/sync-remote-subnets.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { isPolicyOf, prefixesOf } from '../../model/network-document.ts';
import { canonicalPrefix, formatPrefix, isNested, networkOf, withLength } from '../../net/prefix.ts';
import { findUplink } from '../../plan/host-endpoint.ts';
import { vsidOf } from '../../plan/remote-subnets.ts';
import type { ClusterNode } from '../nodes/cluster-node.ts';
import {
  holderOf,
  type OwnSide,
  remoteSubnetsOfNodes,
  type SkippedNode,
} from '../nodes/remote-subnets-of-nodes.ts';

/** What the configuration and the nodes of the cluster ask for. */
export interface ChosenGoal extends RoutingGoal {
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
): ChosenGoal {
  const side = ownSideOf(config, state);
  const unmanaged = new Set(subnetsInPolicies(config));
  const chosen = nodes === undefined ? undefined : remoteSubnetsOfNodes(nodes, side);
  const { wanted = [], skipped = [], own } = chosen ?? {};
  const mismatch = own && mismatchOf(own, side);
  if (mismatch !== undefined && !isForced)
    throw new CniError(code.invalidConfig, mismatch, { details: ofWhichCluster });
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
