import { removeEndpoint } from '../../commands/remove-endpoint.ts';
import { loadBalancersUsing } from '../../model/leftovers.ts';
import { attachedTo } from '../../model/readiness.ts';
import { confirm, describeImpact, foreignObjectWarning } from '../confirm.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { titleOf } from '../plan/step-title.ts';
import { printable } from '../printable.ts';
import { resolveEndpoint } from '../resolve-object.ts';
import type { Session } from '../session.ts';

/** Deletes an endpoint, whoever made it. */
export async function deleteEndpoint(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  if (endpoint === undefined) return;
  const { ID: id, Name } = endpoint;
  const row = endpointRow(endpoint, inventory);
  const impact = [
    ...describeImpact(row),
    ...(row.owner === 'kube-proxy' || row.owner === 'unknown' ? [foreignObjectWarning] : []),
    ...loadBalancersUsing(id, inventory.loadBalancers).map(
      (user) => `Load balancer ${user} loses a backend.`,
    ),
    ...(row.container === undefined
      ? []
      : ['No IPAM plugin is told: win-hcn cni del also gives an address back.']),
  ];
  const namespace = attachedTo(endpoint);
  const steps = [titleOf({ do: 'delete endpoint', id, namespace })];
  if (!confirm({ steps, impact }, yes, session)) return;
  const deleted = await removeEndpoint(id, namespace, openHcn(session.system));
  session.print(`endpoint "${printable(Name)}" ${id} ${deleted ? 'was deleted' : 'is gone already'}`);
}
