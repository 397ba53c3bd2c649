import type { Attachment } from '../cni/request.ts';
import type { Behavior } from '../config/behavior.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { endpointId, endpointName, isDerived, possibleIds, replacedEndpointName } from './identity.ts';
import { managedEndpoints } from './ownership.ts';

/** Which endpoints of a network CNI's GC deletes. */
export interface Garbage {
  /** The ids that GC must query. */
  readonly candidates: readonly EndpointId[];
  /** Whether an endpoint is of a container, the configuration's to delete, and of no valid attachment. */
  isGarbage(endpoint: ObservedEndpoint): boolean;
}

/**
 * Decides which endpoints of a network belong to no valid attachment; `ids` are those of all its endpoints. GC deletes them even if they
 * are attached: the runtime knows which attachments are valid. The caller recognizes the node's endpoints by their namespace.
 */
export function garbageOn(
  network: string,
  valid: readonly Attachment[],
  behavior: Behavior,
  ids: readonly EndpointId[],
): Garbage {
  const isDropIn = behavior.endpointName === 'without interface';
  const isPossible = possibleIds(ids);
  const validIds = new Set(valid.map(endpointId));
  const validNames = new Set([
    ...valid.map(endpointName),
    ...(isDropIn ? valid.map(replacedEndpointName) : []),
  ]);
  const isManaged = managedEndpoints(network, behavior, ids);
  return {
    candidates: ids.filter((id) => !validIds.has(id) && (isDropIn || isPossible(id))),
    isGarbage: (endpoint) => {
      const isValid = !isDerived(endpoint.ID) && validNames.has(endpoint.Name);
      return !isValid && isManaged(endpoint);
    },
  };
}
