import { applyAll } from '../../commands/apply-all.ts';
import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPath, readConfigName } from '../config-file.ts';
import { confirm } from '../confirm.ts';
import { endpointColumns } from '../inventory/columns.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { titleOf } from '../plan/step-title.ts';
import { printable } from '../printable.ts';
import { newProgress } from '../progress.ts';
import { resolveObject } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';
import { rowsTable } from '../table.ts';
import { planDeletion } from './plan-deletion.ts';

/** Deletes the network of a file, or of a name or an id, where nothing but the node's own endpoint is on it. */
export async function deleteNetwork(given: string, yes: boolean, session: Session): Promise<void> {
  const name = isPath(given) ? readConfigName(given, session) : undefined;
  if (isPath(given) && name === undefined) return;
  const inventory = await readInventory(session);
  const network = findNetwork(given, name, inventory, session);
  if (network === undefined) return;
  const called = `network "${printable(network.Name)}" ${network.ID}`;
  const { shown, step, impact, keepers } = planDeletion(network, inventory);
  if (keepers.length > 0) {
    session.printStderr(`win-hcn: ${called} stays: not only the node's own endpoint is on it`);
    session.printStderr(keepersTable(keepers, session));
    session.printStderr(
      `win-hcn show network ${printable(network.Name)} shows them in full. win-hcn gc deletes leftovers, win-hcn endpoint delete any of them.`,
    );
    return session.setExitCode(exitCode.problemFound);
  }
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint')) {
    session.printStderr(`win-hcn: ${called} stays: the endpoints that cannot be read may be on it`);
    return session.setExitCode(exitCode.problemFound);
  }
  if (!confirm({ steps: shown.map(titleOf), impact }, yes, session)) return;
  const hcn = openHcn(session.system);
  const progress = newProgress(session);
  progress.start(`deleting ${network.Type} network "${network.Name}"`);
  await applyAll([step], hcn).finally(progress.end);
  if ((await hcn.findNetworkById(network.ID)) === undefined) return session.print(`${called} was deleted`);
  session.printStderr(`win-hcn: ${called} stays: meanwhile somebody has put an endpoint on it`);
  session.setExitCode(exitCode.problemFound);
}

/** The network that is meant; for undefined it is told why there is none. */
function findNetwork(
  given: string,
  name: string | undefined,
  { networks }: Inventory,
  session: Session,
): ObservedNetwork | undefined {
  if (name !== undefined) {
    const network = networks.find(({ Name }) => Name === name);
    if (network === undefined) session.print(`HCN has no network "${name}": there is nothing to delete`);
    return network;
  }
  const objects = networks.map((value) => ({ value, id: value.ID, names: [value.Name] }));
  return resolveObject('network', given, objects, session);
}

function keepersTable(keepers: readonly EndpointRow[], session: Session): string {
  const rows = keepers.map((row) => {
    const {
      network: _network,
      MAC: _mac,
      state: _state,
      health: _health,
      ...shown
    } = endpointColumns(row, false);
    return shown;
  });
  return rowsTable(rows, session);
}
