import type { ObservedNetwork } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { isSourceVip } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPath, readConfigFile, readConfigName } from '../conflist/config-file.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import { endpointColumns } from '../inventory/columns.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { documentKeys, resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeImpact } from '../plugin/change.ts';
import { printable } from '../terminal/output.ts';
import { quote } from '../terminal/powershell.ts';
import { exitCode, onStderr, type Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import {
  type AttachedEndpoints,
  attachedEndpoints,
  countAttached,
  deleteWithLoadBalancers,
  interruption,
  loadBalancersOfNetwork,
} from './network-deletion.ts';
import { type CniPathFlag, type SourceVipRelease, sourceVipReleaseIn } from './source-vip-ipam.ts';

/** The options of `network delete`. */
export interface DeleteFlags extends CniPathFlag {
  readonly yes?: boolean;
}

/** Deletes the network of a file, or with a name or an ID, and its load balancers, unless an endpoint other than the node's is on it. */
export async function deleteNetwork(
  given: string,
  { yes = false, ...cniPath }: DeleteFlags,
  session: Session,
): Promise<void> {
  const isFile = isPath(given);
  const name = isFile ? readConfigName(given, session) : undefined;
  if (isFile && name === undefined) return;
  const release = isFile ? readSourceVipRelease(given, cniPath, session) : undefined;
  const inventory = await readInventory(session);
  const network = findNetwork(given, name, inventory, session);
  if (network === undefined) return releaseOnly(release, yes, session);
  const { ID: id, Name, Type } = network;
  const described = `network "${printable(Name)}" ${id}`;
  const refuse = (problem: string) => {
    session.printStderr(`win-hcn: ${described} is not deleted: ${problem}`);
    session.setExitCode(exitCode.problemFound);
  };
  const attached = attachedEndpoints(network, inventory);
  const count = countAttached(attached);
  if (count !== '') {
    refuse(`it has ${count}`);
    return printAttached(Name, attached, session);
  }
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint'))
    return refuse('unreadable endpoints may be attached to it');
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === id)
    .map((endpoint) => endpointRow(endpoint, inventory));
  const loadBalancers = loadBalancersOfNetwork(network, inventory);
  const done = await confirmChange(
    async (context) => {
      const hostEndpoints = rows.map((row) => row.id);
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
  if (!done.result) return refuse('an endpoint was created on it in the meantime');
  session.print(`${described} was deleted`);
  const vip = rows.find((row) => isSourceVip(row, Name));
  if (vip !== undefined && release === undefined)
    session.printStderr(
      `win-hcn: an IPAM plugin still reserves ${vip.addresses.join(', ')} of the source VIP: to release it, run win-hcn network delete with the configuration file`,
    );
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

/** How to release the source VIP of a configuration file; undefined if it has none, or no IPAM plugin. */
function readSourceVipRelease(
  file: string,
  flags: CniPathFlag,
  session: Session,
): SourceVipRelease | undefined {
  const { value } = readConfigFile(session.read(file));
  const plugins = isObject(value) ? pluginsIn(value, session.system.executable) : [];
  const configs = plugins.filter(({ ours }) => ours).map((plugin) => plugin.config);
  return sourceVipReleaseIn(configs, flags, session);
}

/** Prints the endpoints that keep a network, and what to do about each kind of them. */
function printAttached(network: string, attached: AttachedEndpoints, session: Session): void {
  const { pods, leftovers, remote, others } = attached;
  const named = quote(printable(network));
  const rows = [...pods, ...leftovers, ...remote, ...others].map((row) => {
    const { network: _n, MAC: _m, state: _s, health: _h, ...shown } = endpointColumns(row, false);
    return shown;
  });
  const showAll = `win-hcn show network ${named} -o wide`;
  session.printStderr(rowsTable(rows, onStderr(session), { showAll }));
  const ofOthers = leftovers.some(({ owner }) => owner === 'another plugin') ? ' --other-plugins' : '';
  if (pods.length > 0) session.printStderr('Delete the pods or drain the node first.');
  if (leftovers.length > 0)
    session.printStderr(`To delete the leftovers, run win-hcn gc --network ${named}${ofOthers} --yes.`);
  if (remote.length + others.length > 0)
    session.printStderr(
      `Find out which program uses the remote and other endpoints: win-hcn show network ${named}.`,
    );
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
