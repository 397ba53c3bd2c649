import { removeEndpoint } from '../../commands/remove-endpoint.ts';
import type { HcnClient } from '../../hcn/client.ts';
import { attachedTo, isAttached } from '../../plan/observed-endpoint.ts';
import { isRemote } from '../../plan/remote-endpoint.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import type { Inventory } from '../inventory/inventory.ts';

/** Looks at an endpoint once more, and deletes it when it is as stale as before. Throws what the client throws. */
export async function deleteStale(
  { id, owner }: EndpointRow,
  { networks }: Inventory,
  hcn: HcnClient,
): Promise<'deleted' | 'gone already' | 'in use'> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return 'gone already';
  const namespace = isAttached(endpoint) ? await hcn.findNamespace(endpoint.HostComputeNamespace) : undefined;
  const row = endpointRow(endpoint, {
    networks,
    endpoints: [endpoint],
    namespaces: namespace === undefined ? [] : [namespace],
    loadBalancers: isRemote(endpoint) ? await hcn.findLoadBalancers() : [],
  });
  if (row.stale === undefined || row.owner !== owner) return 'in use';
  return (await removeEndpoint(id, attachedTo(endpoint), hcn)) ? 'deleted' : 'gone already';
}
