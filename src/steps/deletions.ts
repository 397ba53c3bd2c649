import { toCniError, withDetails } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { HcnTimeout, HcnUnavailable, isRefusal } from '../hcn/errors.ts';
import type { EndpointId, NamespaceId } from '../hcn/guid.ts';
import { isNodeEndpoint } from '../model/identity.ts';
import { attachedTo, isAttached } from '../model/readiness.ts';
import type { Step } from './step.ts';

/**
 * Detaches an endpoint from `namespace`, if given, then deletes it. Returns whether it existed. On some HNS releases deleting an
 * attached endpoint fails, hangs, or leaves the container attached (microsoft/Windows-Containers#485, moby/moby#40699).
 * A failed detach is not an error: the deletion decides. If HNS refuses the deletion or does not respond, looks up the endpoint's
 * namespace, detaches it from there, and deletes it again. Throws the failure of the deletion, with the others in its details.
 * Not for leftovers: another request may have attached one in the meantime, and then HNS must refuse to delete it.
 */
export async function deleteEndpoint(
  id: EndpointId,
  namespace: NamespaceId | undefined,
  hcn: HcnClient,
): Promise<boolean> {
  const detachFailure = namespace === undefined ? undefined : await detach(id, namespace, hcn);
  try {
    return await hcn.deleteEndpoint(id);
  } catch (error) {
    const isLate = error instanceof HcnTimeout && error.tried;
    const failure = detachFailure === undefined ? error : withDetails(error, detachFailure);
    if (!isRefusal(error) && !isLate) throw failure;
    const result = await deleteFromOtherNamespace(id, namespace, hcn).catch((lookup: unknown) => {
      throw withDetails(failure, toCniError(lookup).message);
    });
    if (result === 'not deleted') throw failure;
    return result === 'deleted';
  }
}

/** Returns the message of a failed detach. Throws only if HCN cannot be used. */
async function detach(id: EndpointId, namespace: NamespaceId, hcn: HcnClient): Promise<string | undefined> {
  try {
    if (await hcn.openNamespace(namespace)) await hcn.removeEndpoint(namespace, id);
    return undefined;
  } catch (error) {
    if (error instanceof HcnUnavailable) throw error;
    return toCniError(error).message;
  }
}

async function deleteFromOtherNamespace(
  id: EndpointId,
  tried: NamespaceId | undefined,
  hcn: HcnClient,
): Promise<'deleted' | 'absent' | 'not deleted'> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return 'absent';
  if (!isAttached(endpoint) || endpoint.HostComputeNamespace === tried) return 'not deleted';
  await hcn.removeEndpoint(endpoint.HostComputeNamespace, id);
  await hcn.deleteEndpoint(id);
  return 'deleted';
}

/** Deletes a network and the node's endpoints on it. Does nothing if the network is absent or has any other endpoint. */
export async function deleteUnusedNetwork(
  { id, name, hostEndpoints }: Omit<Step<'delete unused network'>, 'do'>,
  hcn: HcnClient,
): Promise<void> {
  const network = await hcn.findNetworkById(id);
  if (network === undefined) return;
  const found: ObservedEndpoint[] = [];
  for (const endpointId of await hcn.findEndpointsOfNetwork(network.ID)) {
    const endpoint = await hcn.findEndpoint(endpointId);
    const isOfNode =
      hostEndpoints.includes(endpointId) || isNodeEndpoint({ id: endpointId, name: endpoint?.Name }, name);
    if (!isOfNode) return;
    if (endpoint !== undefined) found.push(endpoint);
  }
  for (const endpoint of found) await deleteEndpoint(endpoint.ID, attachedTo(endpoint), hcn);
  return hcn.deleteNetwork(network.ID);
}
