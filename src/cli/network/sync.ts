import { CniError, code, invalidConfig } from '../../cni/error.ts';
import { findNetwork } from '../../commands/network.ts';
import {
  planSync,
  type RoutingState,
  readRoutingState,
  type SubnetChange,
  syncRemoteSubnets,
} from '../../commands/sync-remote-subnets.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { openConfig } from '../../config/open-config.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isOverlay } from '../../model/network-document.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { isNested } from '../../net/prefix.ts';
import { policySubnets, remoteSubnetsOf } from '../../plan/remote-subnets.ts';
import { displayName } from '../conflist/config-file.ts';
import { confirmChange } from '../plugin/change.ts';
import { openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import type { YesFlag } from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { type ClusterNode, readNodeList } from './cluster-node.ts';
import { clusterRoutes, type OwnSide, ownSideOf } from './cluster-routes.ts';

/** The options of `network sync`. */
export interface SyncFlags extends YesFlag {
  /** A file of nodes, or `-`. */
  readonly nodes?: string;
}

/** Changes the remote subnets of a file's network to those of the file and the nodes of the cluster. Throws CniError. */
export async function syncNetwork(
  path: string,
  { nodes: file, yes = false }: SyncFlags,
  session: Session,
): Promise<void> {
  const plugin = readPlugin(path, session);
  if (plugin === undefined) return;
  const configured = openConfig(plugin.config, session.system.executable).json['remoteSubnets'];
  if (file === undefined && (configured === undefined || configured === null))
    throw invalidConfig(
      'the configuration has no remoteSubnets',
      'add "remoteSubnets" ([] deletes all), or pass the nodes of the cluster with --nodes',
    );
  const nodes =
    file === undefined ? undefined : readNodeList(session.read(file, maximumFileBytes), displayName(file));
  const { config, context, targets } = openPlugin(plugin.config, session.system);
  const network = await findNetwork(config, context.hcn);
  if (network === undefined)
    throw invalidConfig(
      `HCN has no network "${config.name}"`,
      'create it with win-hcn network ensure FILE, or let the first ADD create it',
    );
  refuseOtherAgent(network);
  const { changes, remarks, isConnected } = decide(config, await readRoutingState(network, context), nodes);
  for (const remark of remarks) session.printStderr(`win-hcn: ${printable(remark)}`);
  const done = await confirmChange(
    (given) => syncRemoteSubnets(changes, given),
    { impact: [], yes, targets },
    session,
  );
  if (done !== undefined) {
    const counts = Map.groupBy(changes, ({ from, to }) =>
      to === undefined ? 'removed' : from.length === 0 ? 'added' : 'changed',
    );
    const text = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(', ');
    session.print(
      printable(`remote subnets of network "${network.Name}" ${network.ID}: `) + session.style('green', text),
    );
  }
  if (!isConnected) session.setExitCode(exitCode.problemFound);
}

/**
 * Decides what to change, and what to leave alone, in sentences. `isConnected`: another node is connected if there is one, and no route of
 * another program leads elsewhere. Throws CniError if the list is of another cluster, or does not suit the network.
 */
function decide(config: NetworkConfig, state: RoutingState, nodes: readonly ClusterNode[] | undefined) {
  const side = ownSideOf(config, state);
  const { wanted = [], skipped = [], own } = nodes === undefined ? {} : clusterRoutes(nodes, side);
  if (own !== undefined) refuseMismatch(own, side);
  const all = [...config.remoteSubnets, ...wanted];
  const inPolicies = policySubnets(config);
  const differing = planSync(state, all).filter(
    ({ subnet, to }) => to !== undefined || !inPolicies.includes(subnet),
  );
  const isAnySkipped = skipped.some(({ isInFile }) => isInFile !== true);
  const kept = isAnySkipped ? differing.filter(({ to }) => to === undefined) : [];
  const conflicts = differing.filter((change) => change.conflicts.length > 0);
  const isAnyReached = all.length > 0 || !isAnySkipped;
  return {
    changes: differing.filter((change) => change.steps.length > 0 && !kept.includes(change)),
    remarks: [
      ...skipped.map((one) => `node "${one.name}" is skipped: it ${one.reason}`),
      ...(isAnyReached ? [] : ['all other nodes are skipped']),
      ...kept
        .flatMap(({ from }) => from)
        .map(
          ({ subnet, via = 'unknown' }) => `${subnet} via ${via} is kept: it may belong to a skipped node`,
        ),
      ...conflicts.map(conflictText),
    ],
    isConnected: isAnyReached && conflicts.length === 0,
  };
}

function conflictText({ subnet, conflicts, to }: SubnetChange): string {
  const nextHops = conflicts.map(({ nextHop }) => nextHop).join(', ');
  return `${subnet} is not changed: another program has a route to it through ${nextHops}, expected ${to?.via}`;
}

/** Throws CniError if other nodes send to another pod subnet, which this node has in the list. */
function refuseMismatch({ name, podSubnets }: ClusterNode, { network, subnets }: OwnSide): void {
  const isOfNetwork = (subnet: string) => subnets.some((one) => isNested(one, subnet));
  if (podSubnets.length === 0 || podSubnets.some(isOfNetwork)) return;
  throw invalidConfig(
    `node "${name}", which is this one, has pod subnet ${podSubnets.join(' and ')}, but network "${network}" has ${subnets.join(' and ')}`,
    'Either the list of nodes is of another cluster, or the network is older than the pod subnet of this node: then delete the network, ' +
      'and create it with the pod subnet.',
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
      'Two programs that set the remote subnets of one network overwrite each other. To use win-hcn, stop the other one, delete the ' +
      'network, and create it with win-hcn network ensure.',
  });
}
