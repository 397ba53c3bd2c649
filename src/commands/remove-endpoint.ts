import { toCniError, withDetails } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { HcnTimeout, HcnUnavailable, isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isAttached } from '../model/readiness.ts';

/**
 * Detaches an endpoint from `namespace`, if given, then deletes it. Returns whether there was one. On some HNS releases deleting an
 * attached endpoint fails, hangs, or leaves the container attached (microsoft/Windows-Containers#485, moby/moby#40699).
 * A failed detach is not an error by itself: the deletion decides. If that is refused or late, looks up the namespace that the
 * endpoint is in, detaches it from there, and deletes it again. Throws the failure of the deletion, with the others in its details.
 * Not for leftovers: another request may have attached one meanwhile, and then HNS should refuse to delete it.
 */
export async function removeEndpoint(
  id: Guid,
  namespace: Guid | undefined,
  hcn: HcnClient,
): Promise<boolean> {
  const refusal = namespace === undefined ? undefined : await detach(id, namespace, hcn);
  try {
    return await hcn.deleteEndpoint(id);
  } catch (error) {
    const isLate = error instanceof HcnTimeout && error.tried;
    const failure = refusal === undefined ? error : withDetails(error, refusal);
    if (!isRefusal(error) && !isLate) throw failure;
    const found = await removeFromElsewhere(id, namespace, hcn).catch((looking: unknown) => {
      throw withDetails(failure, toCniError(looking).message);
    });
    if (found === 'stays') throw failure;
    return found === 'removed';
  }
}

/** Returns the message of a failed detach, for the details of a deletion that fails too. Throws only if HCN cannot be used. */
async function detach(id: Guid, namespace: Guid, hcn: HcnClient): Promise<string | undefined> {
  try {
    if (await hcn.openNamespace(namespace)) await hcn.removeEndpoint(namespace, id);
    return undefined;
  } catch (error) {
    if (error instanceof HcnUnavailable) throw error;
    return toCniError(error).message;
  }
}

/** Looks up an endpoint whose deletion failed, and removes it if it is in another namespace than the one tried. */
async function removeFromElsewhere(
  id: Guid,
  tried: Guid | undefined,
  hcn: HcnClient,
): Promise<'removed' | 'absent' | 'stays'> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return 'absent';
  if (!isAttached(endpoint) || endpoint.HostComputeNamespace === tried) return 'stays';
  await hcn.removeEndpoint(endpoint.HostComputeNamespace, id);
  await hcn.deleteEndpoint(id);
  return 'removed';
}
