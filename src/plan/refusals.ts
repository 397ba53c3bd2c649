import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import {
  hresultOf,
  isAdapterMissing,
  isAddressTaken,
  isExisting,
  isInNamespace,
  isNetworkExisting,
} from '../hcn/hresults.ts';
import { attachedTo, isAttached, isInUse } from '../model/readiness.ts';

/** How to go on after HNS refused to create an endpoint. */
export type EndpointResolution =
  | { readonly do: 'fail' }
  /** A container has the endpoint: throw code 101. */
  | { readonly do: 'leave'; readonly endpoint: ObservedEndpoint }
  /** Delete the leftover and create the endpoint again. */
  | { readonly do: 'replace'; readonly endpoint: ObservedEndpoint }
  /** Delete the leftovers that have the address and create the endpoint again. */
  | { readonly do: 'reclaim' }
  /** Another request has deleted what existed: create the endpoint again. */
  | { readonly do: 'retry' };

/**
 * Decides what follows from a refused creation; `found` has the id or name of the endpoint to create. HNS has several codes for an endpoint
 * that exists, so a found one is the reason whatever the code is.
 */
export function afterEndpointRefusal(
  hresult: number,
  found: ObservedEndpoint | undefined,
): EndpointResolution {
  if (found !== undefined) return { do: isOccupied(found) ? 'leave' : 'replace', endpoint: found };
  if (isAddressTaken(hresult)) return { do: 'reclaim' };
  return { do: isExisting(hresult) ? 'retry' : 'fail' };
}

/** Whether a container has an endpoint. The attachment works and keeps what it has. */
export function isOccupied(endpoint: ObservedEndpoint): boolean {
  return isAttached(endpoint) || isInUse(endpoint);
}

/** How to go on after HNS refused to attach an endpoint. HNS may attach it and refuse nevertheless. */
export type AttachResolution = 'gone' | 'leave' | 'attached' | 'detach' | 'fail';

/** Decides what follows from a refused attachment. `isCreatedHere`: this request created `found`, and no other one since. */
export function afterAttachRefusal(
  hresult: number,
  found: ObservedEndpoint | undefined,
  namespace: NamespaceId,
  isCreatedHere: boolean,
): AttachResolution {
  if (found === undefined) return 'gone';
  if (!isCreatedHere || attachedTo(found) !== namespace) return isOccupied(found) ? 'leave' : 'fail';
  return isInNamespace(hresult) ? 'attached' : 'detach';
}

/** Decides what follows from a refused network: whether another request may create it, and whether HNS may release the adapter; `isExternal`: it is bound to an adapter. */
export function afterNetworkRefusal(hresult: number, isExternal: boolean) {
  const isAdapterBusy = isExternal && isAdapterMissing(hresult);
  return {
    isAdapterBusy,
    mayAppear: isAdapterBusy || hresult === hresultOf('E_FAIL') || isNetworkExisting(hresult),
  };
}
