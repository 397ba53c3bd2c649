import type { HostComputeNamespace, ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo, containersIn } from '../../model/readiness.ts';

/** What needs an endpoint that HCN does not have. */
export interface MissingEndpoints {
  /** Namespaces with running containers and without endpoints. */
  readonly namespaces: readonly HostComputeNamespace[];
  /** The backends of load balancers that do not exist. */
  readonly backends: readonly EndpointId[];
}

/**
 * Finds what lacks its endpoint in an inventory, whose endpoints were read before its namespaces and load balancers: a pod or service
 * that was created between the reads is found too, so that a second look has to confirm the result. An unreadable object may be the endpoint.
 */
export function findMissingEndpoints(inventory: Inventory): MissingEndpoints {
  const { namespaces, endpoints, loadBalancers, unreadable } = inventory;
  if (unreadable !== undefined) return { namespaces: [], backends: [] };
  const needed = {
    namespaces: namespaces.filter((one) => !isHostNamespace(one) && containersIn(one).length > 0),
    backends: [...new Set(loadBalancers.flatMap(({ HostComputeEndpoints }) => HostComputeEndpoints))],
  };
  return withoutFound(needed, endpoints);
}

/** Looks for missing endpoints among those of a later read. Reads nothing if none is missing. */
export async function confirmMissing(
  missing: MissingEndpoints,
  readAgain: () => Promise<Pick<Inventory, 'endpoints' | 'unreadable'>>,
): Promise<MissingEndpoints> {
  if (missing.namespaces.length === 0 && missing.backends.length === 0) return missing;
  const { endpoints, unreadable } = await readAgain();
  return unreadable === undefined ? withoutFound(missing, endpoints) : { namespaces: [], backends: [] };
}

function withoutFound(
  { namespaces, backends }: MissingEndpoints,
  endpoints: readonly ObservedEndpoint[],
): MissingEndpoints {
  const attached = new Set(endpoints.map(attachedTo));
  const existing = new Set(endpoints.map(({ ID }) => ID));
  return {
    namespaces: namespaces.filter(({ ID }) => !attached.has(ID)),
    backends: backends.filter((id) => !existing.has(id)),
  };
}
