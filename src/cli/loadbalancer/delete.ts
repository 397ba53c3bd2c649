import { deleteLoadBalancer as deleteIt, planDeletion } from '../../commands/load-balancer.ts';
import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPath, readConfigName } from '../config-file.ts';
import { confirm, foreignObjectWarning } from '../confirm.ts';
import { type LoadBalancerRow, loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { titleOf } from '../plan/step-title.ts';
import { resolveObject } from '../resolve-object.ts';
import type { Session } from '../session.ts';

/** Deletes the load balancer of a file, or of a name or an id. */
export async function deleteLoadBalancer(given: string, yes: boolean, session: Session): Promise<void> {
  const name = isPath(given) ? readConfigName(given, session) : undefined;
  if (isPath(given) && name === undefined) return;
  const row = findLoadBalancer(given, name, await readInventory(session), session);
  if (row === undefined) return;
  const { id, frontends, ports, owner } = row;
  const hcn = openHcn(session.system);
  const steps = await planDeletion(id, { hcn });
  const at = frontends.join(', ') || "the node's own addresses";
  const impact = [
    `Nothing listens on ${at} any more: ${ports.join(', ')}.`,
    ...(owner === 'win-hcn' ? [] : [foreignObjectWarning]),
  ];
  if (!confirm({ steps: steps.map(titleOf), impact }, yes, session)) return;
  const deleted = await deleteIt(id, { hcn });
  session.print(`load balancer ${id} ${deleted ? 'was deleted' : 'is gone already'}`);
}

/** The load balancer that is meant; for undefined it is told why there is none. HCN knows no names: ours are in their ids. */
function findLoadBalancer(
  given: string,
  name: string | undefined,
  inventory: Inventory,
  session: Session,
): LoadBalancerRow | undefined {
  const rows = loadBalancerRows(inventory);
  const named = rows.find(({ id }) => id === loadBalancerId(name ?? given));
  if (named !== undefined) return named;
  if (name === undefined) {
    const objects = rows.map((value) => ({ value, id: value.id, names: [] }));
    return resolveObject('load balancer', given, objects, session);
  }
  session.print(`HCN has no load balancer "${name}": there is nothing to delete`);
  return undefined;
}
