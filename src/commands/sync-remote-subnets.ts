import { CniError, code, invalidConfig, withDetails } from '../cni/error.ts';
import type { RemoteSubnet } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import { IpHelperError, isEffectUnknown } from '../iphlpapi/windows-errors.ts';
import { isOverlay } from '../model/network-document.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import type { NodeRoute } from '../net/node-route.ts';
import { findUplink } from '../plan/host-endpoint.ts';
import { remoteSubnetChanges, remoteSubnetsOf, routeChanges } from '../plan/remote-subnets.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';

/** How a node reaches the pods of other nodes. */
export interface RoutingState {
  readonly network: ObservedNetwork;
  readonly adapters: readonly HostAdapter[];
  /** Of an L2Bridge network: the interface with the node's address on it, and all routes of the node. */
  readonly table: { readonly interfaceIndex: number; readonly routes: readonly NodeRoute[] } | undefined;
}

/** A remote subnet in HCN or in the route table, and the address that it leads to. */
export interface CurrentSubnet {
  readonly subnet: string;
  readonly via: string | undefined;
}

/** What the remote subnets are to be. */
export interface RoutingGoal {
  readonly wanted: readonly RemoteSubnet[];
  /** Whether a remote subnet that is not wanted stays. */
  readonly keeps: (current: CurrentSubnet) => boolean;
}

/** A remote subnet that is not as wanted. */
export interface SubnetChange {
  readonly subnet: string;
  readonly from: readonly CurrentSubnet[];
  readonly to: CurrentSubnet | undefined;
  readonly steps: readonly Step[];
  /** Routes of other programs to the subnet. They stay, and win-hcn adds none. */
  readonly conflicts: readonly NodeRoute[];
}

type Context = Pick<CommandContext, 'hcn' | 'ipHelper' | 'changes'>;

/** Reads how a node reaches other nodes on a network. Throws code 7 for a network of another type than Overlay and L2Bridge. */
export async function readRoutingState(
  network: ObservedNetwork,
  { ipHelper }: Pick<Context, 'ipHelper'>,
): Promise<RoutingState> {
  const adapters = await ipHelper.readAdapters();
  if (isOverlay(network)) return { network, adapters, table: undefined };
  if (network.Type.toLowerCase() !== 'l2bridge')
    throw invalidConfig(
      `network "${network.Name}" is of type ${network.Type}, which has no remote subnets`,
      'only Overlay and L2Bridge networks have remote subnets',
    );
  const found = findUplink(network, adapters);
  if (found === undefined)
    throw new CniError(
      code.tryAgainLater,
      `no interface of this node has an address on network "${network.Name}"`,
      { details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden' },
    );
  const routes = await ipHelper.readRoutes();
  return { network, adapters, table: { interfaceIndex: found.index, routes } };
}

/** Returns what has to change. Throws code 7 if the goal does not suit the type of the network. */
export function planSync(state: RoutingState, { wanted, keeps }: RoutingGoal): readonly SubnetChange[] {
  const changes =
    state.table === undefined
      ? overlayChanges(wanted, state)
      : tableChanges(wanted, state.table, state.network);
  return changes.filter(({ from, to }) => to !== undefined || !from.some(keeps));
}

/**
 * Changes the remote subnets to the goal, one after the other, and removes a changed one before it adds the new one. Rolls back a refused
 * change and continues with the others. Reads the state again afterwards, and returns what another program has changed in the meantime.
 * Throws the first failure. Calls `isStopped` before each remote subnet: if it returns true, skips the rest and throws.
 */
export async function syncRemoteSubnets(
  state: RoutingState,
  goal: RoutingGoal,
  { hcn, ipHelper, changes }: Context,
  isStopped: () => boolean = () => false,
): Promise<readonly SubnetChange[]> {
  const planned = planSync(state, goal).filter(({ steps }) => steps.length > 0);
  const failures: unknown[] = [];
  let changed = 0;
  for (const { steps } of planned) {
    if (isStopped()) break;
    try {
      await changes.transaction(async () => {
        for (const step of steps) await changes.apply(step);
      });
      changed += 1;
    } catch (error) {
      failures.push(error);
      if (!isRefused(error)) break;
    }
  }
  const skipped = planned.length - changed - failures.length;
  const counts = `remote subnets: ${changed} changed, ${failures.length} failed, ${skipped} skipped`;
  if (failures.length > 0) throw withDetails(failures[0], planned.length > 1 ? counts : undefined);
  if (skipped > 0) throw new CniError(code.tryAgainLater, `interrupted: ${counts}`);
  if (planned.length === 0) return [];
  const { network: before, table: tableBefore } = state;
  let remaining: readonly SubnetChange[] = [];
  const readAgain = async () => {
    const network = await hcn.findNetworkById(before.ID);
    const table = tableBefore && { ...tableBefore, routes: await ipHelper.readRoutes() };
    return { network, table };
  };
  const settled = async () => {
    const { network, table } = await readAgain().catch((error: unknown) => {
      throw withDetails(error, 'the remote subnets were changed before this failure');
    });
    if (network === undefined) throw goneMeanwhile(before);
    remaining = planSync({ ...state, network, table }, goal).filter((change) => change.steps.length > 0);
    return remaining.length === 0 ? [] : undefined;
  };
  return (await changes.waitFor(settleMilliseconds, settled, async () => undefined)) ?? remaining;
}

/** Whether HNS or Windows answered, and refused this change only. */
function isRefused(error: unknown): boolean {
  return isRefusal(error) || (error instanceof IpHelperError && !isEffectUnknown(error));
}

/** How long HNS may take to list what it has accepted. */
const settleMilliseconds = 1_000;

function goneMeanwhile({ Name }: ObservedNetwork): CniError {
  return new CniError(code.tryAgainLater, `network "${Name}" was deleted during the sync`, {
    details: 'create it with win-hcn network ensure FILE, and repeat the sync',
  });
}

function overlayChanges(wanted: readonly RemoteSubnet[], { network }: RoutingState): readonly SubnetChange[] {
  const tunnels = wanted.map((remote) => ('providerAddress' in remote ? remote : refuse(remote, network)));
  const observed = Map.groupBy(remoteSubnetsOf(network), ({ subnet }) => subnet);
  const { ID: id, Name: name } = network;
  return remoteSubnetChanges(tunnels, network).map(({ subnet, remove, add }) => ({
    subnet,
    from: (observed.get(subnet) ?? []).map(({ providerAddress }) => ({ subnet, via: providerAddress })),
    to: add.map(({ Settings }) => ({ subnet, via: String(Settings?.['ProviderAddress']) }))[0],
    steps: [
      ...remove.map((policy) => ({ do: 'remove remote subnet' as const, id, name, policy })),
      ...add.map((policy) => ({ do: 'add remote subnet' as const, id, name, policy })),
    ],
    conflicts: [],
  }));
}

function tableChanges(
  wanted: readonly RemoteSubnet[],
  { interfaceIndex, routes }: NonNullable<RoutingState['table']>,
  network: ObservedNetwork,
): readonly SubnetChange[] {
  const routed = wanted.map((remote) => ('nextHop' in remote ? remote : refuse(remote, network)));
  const wantedBySubnet = new Map(routed.map((remote) => [remote.subnet, remote]));
  return routeChanges(routed, interfaceIndex, routes).map(({ subnet, remove, add, others }) => {
    const to = wantedBySubnet.get(subnet);
    return {
      subnet,
      from: remove.map(({ nextHop }) => ({ subnet, via: nextHop })),
      to: to && { subnet, via: to.nextHop },
      steps: [
        ...remove.map((route) => ({ do: 'delete route' as const, route })),
        ...add.map((route) => ({ do: 'create route' as const, route })),
      ],
      conflicts: others,
    };
  });
}

/** The configuration, or the caller, chose the form by another type than HNS has. */
function refuse({ subnet }: RemoteSubnet, network: ObservedNetwork): never {
  const { Name, Type } = network;
  const needed = isOverlay(network) ? '"providerAddress" and "macAddress"' : '"nextHop"';
  throw invalidConfig(
    `remote subnet ${subnet} does not suit network "${Name}" of type ${Type}, which needs ${needed}`,
    'correct /remoteSubnets, or the network type',
  );
}
