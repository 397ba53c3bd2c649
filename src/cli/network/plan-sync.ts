import { invalidConfig } from '../../cni/error.ts';
import { findNetwork } from '../../commands/network.ts';
import {
  type CurrentSubnet,
  planSync,
  type RoutingState,
  readRoutingState,
  type SubnetChange,
} from '../../commands/sync-remote-subnets.ts';
import { openConfig } from '../../config/open-config.ts';
import type { JsonObject } from '../../json/members.ts';
import { findUplink } from '../../plan/host-endpoint.ts';
import { displayName } from '../conflist/config-file.ts';
import type { OpenedPlugin } from '../plugin/plugin-config.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import type { Session } from '../terminal/session.ts';
import { readNodeList } from './cluster-node.ts';
import { chooseGoal, refuseOtherAgent, type SyncGoal } from './sync-goal.ts';

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
export interface PlannedSync {
  readonly state: RoutingState;
  readonly goal: SyncGoal;
  readonly changes: readonly SubnetChange[];
  /** Unwanted remote subnets that stay, because a skipped node or another network may need them. */
  readonly kept: readonly (CurrentSubnet & { readonly reason: string })[];
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
  const goal = chooseGoal(config, nodes, state, force);
  const unwanted = planSync(state, { ...goal, keeps: () => false }).flatMap(({ from, to }) =>
    to === undefined ? from : [],
  );
  const neighbor = force || unwanted.length === 0 ? undefined : await findNeighbor(state, context);
  const keeps = (current: CurrentSubnet) => neighbor !== undefined || goal.keeps(current);
  return {
    state,
    goal: { ...goal, keeps },
    changes: planSync(state, { ...goal, keeps }),
    kept: unwanted.flatMap((current) => {
      const node = goal.holder(current);
      if (node !== undefined) return { ...current, reason: `it may belong to skipped node "${node}"` };
      if (neighbor === undefined) return [];
      return {
        ...current,
        reason: `network "${neighbor}" uses the same interface; use --force to remove it`,
      };
    }),
  };
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
