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

/** A remote subnet that is not as wanted. */
export interface SubnetChange {
  readonly subnet: string;
  readonly from: readonly CurrentSubnet[];
  readonly to: CurrentSubnet | undefined;
  readonly steps: readonly Step[];
  /** Routes of other programs to the subnet. They stay, and win-hcn adds none. */
  readonly conflicts: readonly NodeRoute[];
}

/** Reads how a node reaches other nodes on a network. Throws code 7 for a network of another type than Overlay and L2Bridge. */
export async function readRoutingState(
  network: ObservedNetwork,
  { ipHelper }: Pick<CommandContext, 'ipHelper'>,
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

/** Returns what has to change: what is not wanted first. Throws code 7 if a wanted remote subnet does not suit the type of the network. */
export function planSync(
  { network, table }: RoutingState,
  wanted: readonly RemoteSubnet[],
): readonly SubnetChange[] {
  return table === undefined ? overlayChanges(wanted, network) : tableChanges(wanted, table, network);
}

/**
 * Changes one remote subnet after the other, and removes a changed one before it adds the new one. Rolls back a refused change and
 * continues with the others. Throws the first failure.
 */
export async function syncRemoteSubnets(
  planned: readonly SubnetChange[],
  { changes }: Pick<CommandContext, 'changes'>,
): Promise<void> {
  const failures: unknown[] = [];
  let changed = 0;
  for (const { steps } of planned) {
    try {
      await changes.transaction(async () => {
        for (const step of steps) await changes.apply(step);
      });
      changed += 1;
    } catch (error) {
      failures.push(error);
      // HNS or Windows answered, and refused this change only.
      if (!isRefusal(error) && !(error instanceof IpHelperError && !isEffectUnknown(error))) break;
    }
  }
  if (failures.length === 0) return;
  const skipped = planned.length - changed - failures.length;
  const counts = `remote subnets: ${changed} changed, ${failures.length} failed, ${skipped} skipped`;
  throw withDetails(failures[0], planned.length > 1 ? counts : undefined);
}

function overlayChanges(wanted: readonly RemoteSubnet[], network: ObservedNetwork): readonly SubnetChange[] {
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
