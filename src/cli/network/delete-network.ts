import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isSourceVip } from '../../model/node-endpoints.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import { isPath, readConfigName } from '../conflist/config-file.ts';
import { endpointColumns } from '../inventory/columns.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { documentKeys, resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeImpact } from '../plugin/change.ts';
import { printable } from '../terminal/output.ts';
import { quote } from '../terminal/powershell-query.ts';
import { exitCode, onStderr, type Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { type AttachedEndpoints, attachedEndpoints, countAttached } from './attached-endpoints.ts';
import { deleteWithLoadBalancers, loadBalancersOfNetwork } from './network-deletion.ts';
import type { CniPathFlag } from './source-vip-ipam.ts';
import { readSourceVipRelease, type SourceVipRelease } from './source-vip-release.ts';

export interface DeleteFlags extends CniPathFlag {
  readonly yes?: boolean;
}

/**
 * Deletes the network of a file, or with a name or an id, and its load balancers, unless an endpoint other than its host endpoint is on it.
 */
export async function deleteNetwork(
  given: string,
  { yes = false, ...cniPath }: DeleteFlags,
  session: Session,
): Promise<void> {
  const name = isPath(given) ? readConfigName(given, session) : undefined;
  if (isPath(given) && name === undefined) return;
  const release = isPath(given) ? readSourceVipRelease(given, cniPath, session) : undefined;
  const inventory = await readInventory(session);
  const network = findNetwork(given, name, inventory, session);
  if (network === undefined) return releaseOnly(release, yes, session);
  const { ID: id, Name, Type } = network;
  const described = `network "${printable(Name)}" ${id}`;
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === id)
    .map((endpoint) => endpointRow(endpoint, inventory));
  const attached = attachedEndpoints(network, inventory);
  if (countAttached(attached) !== '') return refuse(described, Name, attached, session);
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint')) {
    session.printStderr(`win-hcn: ${described} is not deleted: unreadable endpoints may be attached to it`);
    return session.setExitCode(exitCode.problemFound);
  }
  const hostEndpoints = rows.map((row) => row.id);
  const loadBalancers = loadBalancersOfNetwork(network, inventory);
  const done = await confirmChange(
    async (context) => {
      const step = { do: 'delete unused network', id, name: Name, hostEndpoints } as const;
      const isDeleted = await deleteWithLoadBalancers(step, loadBalancers.steps, context);
      if (isDeleted && release !== undefined)
        await context.changes.apply({ do: 'release addresses', plugin: release.plugin });
      return isDeleted;
    },
    {
      ...(release !== undefined && { targets: release.targets, ipam: release.plugin }),
      impact: [...loadBalancers.impact, ...rows.flatMap(describeImpact), ...interruption(network)],
      yes,
      progress: `deleting ${Type} network "${Name}"`,
    },
    session,
  );
  if (done === undefined) return;
  if (done.result) {
    session.print(`${described} was deleted`);
    const vip = rows.find((row) => isSourceVip(row, Name));
    if (vip !== undefined && release === undefined)
      session.printStderr(
        `win-hcn: an IPAM plugin still reserves ${vip.addresses.join(', ')} of the source VIP: to release it, run win-hcn network delete with the configuration file`,
      );
    return;
  }
  session.printStderr(`win-hcn: ${described} is not deleted: an endpoint was created on it in the meantime`);
  session.setExitCode(exitCode.problemFound);
}

/** Releases what host-local reserved for the source VIP of a network that does not exist. */
async function releaseOnly(
  release: SourceVipRelease | undefined,
  yes: boolean,
  session: Session,
): Promise<void> {
  if (release?.reserved.is !== 'reserved') return;
  const { plugin, reserved, targets } = release;
  const done = await confirmChange(
    ({ changes }) => changes.apply({ do: 'release addresses', plugin }),
    { impact: [], yes, targets, ipam: plugin },
    session,
  );
  if (done !== undefined) session.print(`${plugin} released ${reserved.address} of the source VIP`);
}

/** Lists the endpoints of a network, and what to do about each kind of them. */
function refuse(described: string, network: string, attached: AttachedEndpoints, session: Session): void {
  const { pods, leftovers, remote, others } = attached;
  session.printStderr(`win-hcn: ${described} is not deleted: it has ${countAttached(attached)}`);
  session.printStderr(endpointsTable(network, [...pods, ...leftovers, ...remote, ...others], session));
  const named = quote(printable(network));
  const ofOthers = leftovers.some(({ owner }) => owner === 'another plugin') ? ' --other-plugins' : '';
  const advice = [
    ...(pods.length > 0 ? ['Delete the pods or drain the node first.'] : []),
    ...(leftovers.length > 0
      ? [`To delete the leftovers, run win-hcn gc --network ${named}${ofOthers} --yes.`]
      : []),
    ...(remote.length + others.length > 0
      ? [
          `Find out which program uses the ${remote.length > 0 ? 'remote and other' : 'other'} endpoints: win-hcn show network ${named}.`,
        ]
      : []),
  ];
  session.printStderr(advice.join('\n'));
  session.setExitCode(exitCode.problemFound);
}

/** What the deletion of a network interrupts. */
export function interruption(network: ObservedNetwork): readonly string[] {
  if (!isExternal(network.Type)) return [];
  const adapter = boundAdapter(network);
  const through = adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`;
  return [`Connections to the node through ${through}, such as RDP and SSH, can be interrupted.`];
}

/** Returns undefined, after reporting why, if there is no such network, or more than one. HNS may accept two networks of one name. */
function findNetwork(
  given: string,
  name: string | undefined,
  { networks }: Inventory,
  session: Session,
): ObservedNetwork | undefined {
  if (name === undefined) return resolveObject('network', given, networks, documentKeys, session);
  const named = networks.filter(({ Name }) => Name === name);
  if (named.length > 0) return resolveObject('network', name, named, documentKeys, session);
  session.print(`HCN has no network "${name}": nothing to delete`);
  return undefined;
}

function endpointsTable(network: string, endpoints: readonly EndpointRow[], session: Session): string {
  const rows = endpoints.map((row) => {
    const {
      network: _network,
      MAC: _mac,
      state: _state,
      health: _health,
      ...shown
    } = endpointColumns(row, false);
    return shown;
  });
  return rowsTable(rows, onStderr(session), {
    showAll: `win-hcn show network ${quote(printable(network))} -o wide`,
  });
}
