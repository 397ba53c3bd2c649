import { removeEndpoint } from '../../commands/remove-endpoint.ts';
import type { HcnClient } from '../../hcn/client.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { attachedTo, isAttached } from '../../model/readiness.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';

/** Looks at an endpoint once more, and deletes it when it is as stale as before. Throws what the client throws. */
export async function deleteStale(
  { id, owner }: EndpointRow,
  { networks, endpoints }: Inventory,
  hcn: HcnClient,
): Promise<'deleted' | 'gone already' | 'in use'> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return 'gone already';
  const namespace = isAttached(endpoint) ? await hcn.findNamespace(endpoint.HostComputeNamespace) : undefined;
  const row = endpointRow(endpoint, {
    networks,
    endpoints,
    namespaces: namespace === undefined ? [] : [namespace],
    loadBalancers: isRemote(endpoint) ? await hcn.findLoadBalancers() : [],
  });
  if (row.stale === undefined || row.owner !== owner) return 'in use';
  return (await removeEndpoint(id, attachedTo(endpoint), hcn)) ? 'deleted' : 'gone already';
}
