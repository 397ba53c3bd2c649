import { attachEndpoint as attach } from '../../commands/namespaces.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { printable } from '../printable.ts';
import { resolveEndpoint, resolveNamespace } from '../resolve-object.ts';
import type { Session } from '../session.ts';

/** Puts an endpoint into a namespace. Throws where it is in another one. */
export async function attachEndpoint(key: string, namespaceKey: string, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  const namespace = resolveNamespace(namespaceKey, inventory, session);
  if (endpoint === undefined || namespace === undefined) return;
  const isNew = await attach(endpoint.ID, namespace.id, { hcn: openHcn(session.system) });
  const end = isNew ? 'was attached to' : 'is already in';
  session.print(`endpoint "${printable(endpoint.Name)}" ${endpoint.ID} ${end} namespace ${namespace.id}`);
}
