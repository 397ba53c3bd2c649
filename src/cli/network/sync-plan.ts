import { CniError, code, invalidConfig } from '../../cni/error.ts';
import { findNetwork } from '../../commands/network.ts';
import {
  type CurrentSubnet,
  planSync,
  type RoutingGoal,
  type RoutingState,
  readRoutingState,
  type SubnetChange,
} from '../../commands/sync-remote-subnets.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { openConfig } from '../../config/open-config.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { JsonObject } from '../../json/members.ts';
import { isOverlay, isPolicyOf, prefixesOf } from '../../model/network-document.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { canonicalPrefix, formatPrefix, isNested, networkOf, withLength } from '../../net/prefix.ts';
import { findUplink } from '../../plan/host-endpoint.ts';
import { remoteSubnetsOf, vsidOf } from '../../plan/remote-subnets.ts';
import { displayName } from '../conflist/config-file.ts';
import type { OpenedPlugin } from '../plugin/plugin-config.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import type { Session } from '../terminal/session.ts';
import { type ClusterNode, readNodeList } from './cluster-node.ts';
import { clusterRoutes, type OwnSide } from './cluster-routes.ts';

/** What a sync is to do. */
export interface SyncRequest {
  /** A file of nodes, or `-`. */
  readonly nodes?: string;
  /**
   * Whether to change a network whose remote subnets another agent manages, to remove routes that another network may need, and to use a
   * list in which this node has other pod subnets than the network.
   */
  readonly force?: boolean;
}

/** What a sync changes, and what it leaves alone. */
interface PlannedSync {
  readonly state: RoutingState;
  readonly goal: RoutingGoal;
  readonly changes: readonly SubnetChange[];
  /** What it leaves alone, in sentences. */
  readonly remarks: readonly string[];
  /** Whether another node is connected if there is one, and no route of another program leads elsewhere. */
  readonly isConnected: boolean;
}

/**
 * Decides what the remote subnets of a configuration's network are to be, and what has to change. Throws CniError if the network is absent,
 * or another agent manages it, or the goal is not clear. `given` is the configuration as in the file.
 */
export async function planSyncOf(
  given: JsonObject,
  { config, context }: Pick<OpenedPlugin, 'config' | 'context'>,
  { nodes: file, force = false }: SyncRequest,
  session: Session,
): Promise<PlannedSync> {
  const configured = openConfig(given, session.system.executable).json['remoteSubnets'];
  if (file === undefined && (configured === undefined || configured === null))
    throw invalidConfig(
      'the configuration has no remoteSubnets',
      'add "remoteSubnets" ([] deletes all), or pass the nodes of the cluster with --nodes',
    );
  const nodes =
    file === undefined ? undefined : readNodeList(session.read(file, maximumFileBytes), displayName(file));
  const network = await findNetwork(config, context.hcn);
  if (network === undefined)
    throw invalidConfig(
      `HCN has no network "${config.name}"`,
      'create it with win-hcn network ensure FILE, or let the first ADD create it',
    );
  if (!force) refuseOtherAgent(network);
  const state = await readRoutingState(network, context);
  const side = ownSideOf(config, state);
  const { wanted = [], skipped = [], own } = nodes === undefined ? {} : clusterRoutes(nodes, side);
  const mismatch = own && mismatchOf(own, side);
  if (mismatch !== undefined && !force) throw invalidConfig(mismatch, ofWhichCluster);
  const all = [...config.remoteSubnets, ...wanted];
  const policies = subnetsInPolicies(config);
  const isInPolicies = ({ subnet }: CurrentSubnet) => policies.includes(subnet);
  const unwanted = planSync(state, { wanted: all, keeps: isInPolicies }).flatMap(({ from, to }) =>
    to === undefined ? from : [],
  );
  const neighbor = force || unwanted.length === 0 ? undefined : await findNeighbor(state, context);
  const isAnySkipped = skipped.some(({ isInFile }) => isInFile !== true);
  const reason = isAnySkipped
    ? 'it may belong to a skipped node'
    : neighbor && `network "${neighbor}" uses the same interface; use --force to remove it`;
  const goal: RoutingGoal = { wanted: all, keeps: (one) => reason !== undefined || isInPolicies(one) };
  const changes = planSync(state, goal);
  const conflicts = changes.flatMap(({ subnet, to, conflicts }) =>
    conflicts.map(
      ({ nextHop }) =>
        `${subnet} is not changed: another program has a route to it through ${nextHop}, expected ${to?.via}`,
    ),
  );
  const isConnected = all.length > 0 || !isAnySkipped;
  return {
    state,
    goal,
    changes,
    remarks: [
      ...(mismatch === undefined ? [] : [`${mismatch}: other nodes cannot reach its pods`]),
      ...skipped.map((one) => `node "${one.name}" is skipped: it ${one.reason}`),
      ...(isConnected ? [] : ['all other nodes are skipped']),
      ...(reason === undefined ? [] : unwanted.map((one) => `${textOf(one)} is kept: ${reason}`)),
      ...conflicts,
    ],
    isConnected: isConnected && conflicts.length === 0,
  };
}

function textOf({ subnet, via }: CurrentSubnet): string {
  return via === undefined ? subnet : `${subnet} via ${via}`;
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

/**
 * The name of another L2Bridge network on the same interface, which the routes of win-hcn may belong to. Calico and Google's nodes have a
 * network `External` without pods.
 */
async function findNeighbor(
  { network, adapters, table }: RoutingState,
  { hcn }: Pick<OpenedPlugin['context'], 'hcn'>,
): Promise<string | undefined> {
  if (table === undefined) return undefined;
  const others = await hcn.findNetworks(network.ID);
  return others.find(
    (other) =>
      other.Type.toLowerCase() === network.Type.toLowerCase() &&
      other.Name !== 'External' &&
      findUplink(other, adapters)?.index === table.interfaceIndex,
  )?.Name;
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
function refuseOtherAgent(network: ObservedNetwork): void {
  const named = namesOfAgents.find(({ name }) => name.test(network.Name));
  const written = isOverlay(network) && !isOwnNetwork(network) ? remoteSubnetsOf(network) : [];
  const other = written
    .map(({ policy }) => String(policy.Settings?.['DistributedRouterMacAddress']))
    .find((mac) => !/^([0-9A-F]{2}-){5}[0-9A-F]{2}$/.test(mac));
  const because =
    named === undefined
      ? other && `another program manages its remote subnets, as MAC address ${other} shows`
      : `${named.agent} manages its remote subnets, as its name shows`;
  if (because === undefined) return;
  throw new CniError(code.invalidConfig, `network "${network.Name}" is not changed: ${because}`, {
    details:
      'Two programs that set the remote subnets of one network overwrite each other. Stop the other one on this node, then use --force.',
  });
}
