import type { Inventory } from '../../model/inventory.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo, containersIn } from '../../model/readiness.ts';

/** Namespaces with running containers and without endpoints, and the backends of load balancers that do not exist. */
export type MissingEndpoints = ReturnType<typeof missingEndpointsIn>;

/**
 * Finds what lacks its endpoint, also in a second look: the endpoints were read before the namespaces and load balancers, so a pod or
 * service that was created in between lacks its own. Rejects as `lookAgain` does.
 */
export async function findMissingEndpoints(
  inventory: Inventory,
  lookAgain: () => Promise<Pick<Inventory, 'endpoints' | 'unreadable'>>,
): Promise<MissingEndpoints> {
  const missing = missingEndpointsIn(inventory);
  const isComplete = missing.namespaces.length === 0 && missing.backends.length === 0;
  return isComplete ? missing : missingEndpointsIn({ ...inventory, ...(await lookAgain()) });
}

/** Finds what lacks its endpoint in an inventory. An unreadable object may be the endpoint. */
export function missingEndpointsIn({ namespaces, endpoints, loadBalancers, unreadable }: Inventory) {
  if (unreadable !== undefined) return { namespaces: [], backends: [] };
  const attached = new Set(endpoints.map(attachedTo));
  const existing = new Set(endpoints.map(({ ID }) => ID));
  const backends = loadBalancers.flatMap(({ HostComputeEndpoints }) => HostComputeEndpoints);
  return {
    namespaces: namespaces.filter(
      (one) => !isHostNamespace(one) && containersIn(one).length > 0 && !attached.has(one.ID),
    ),
    backends: [...new Set(backends)].filter((id) => !existing.has(id)),
  };
}
