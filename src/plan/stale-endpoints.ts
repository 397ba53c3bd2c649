import { isName } from '../cni/name.ts';
import type { Attachment } from '../cni/request.ts';
import type { Behavior } from '../config/behavior.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import {
  attachmentNamed,
  endpointId,
  endpointName,
  inheritedEndpointName,
  isDerived,
  ownerOnNetwork,
  takesCallerIds,
} from './identity.ts';

/** What GC asks of the endpoints on a network. */
export interface Staleness {
  /** The ids that may be stale and must be queried. */
  readonly candidates: readonly Guid[];
  /** Whether it was made for a container, and for none of the valid attachments. */
  isStale(endpoint: ObservedEndpoint): boolean;
}

/**
 * Decides about the endpoints on a network; `ids` are all of theirs. An endpoint is ours if its id is derived from its name, or if HNS
 * ignores the ids of callers and the name has our form. With a configuration in another plugin's dialect, that plugin's endpoints are
 * ours to clean up too: both plugins name endpoints after container and network, and only the other plugin's have ids that HNS chose.
 */
export function staleness(
  network: string,
  valid: readonly Attachment[],
  { endpointName: form }: Behavior,
  ids: readonly Guid[],
): Staleness {
  const inherits = form === 'without interface';
  const takesIds = takesCallerIds(ids);
  const validIds = new Set(valid.map(endpointId));
  const validNames = new Set([
    ...valid.map(endpointName),
    ...(inherits ? valid.map(inheritedEndpointName) : []),
  ]);
  return {
    candidates: ids.filter((id) => !validIds.has(id) && (inherits || !takesIds || isDerived(id))),
    isStale: ({ ID: id, Name }) => {
      if (!isDerived(id) && validNames.has(Name)) return false;
      const isNamedByUs = attachmentNamed(Name, id, network) !== undefined;
      if (isNamedByUs && (isDerived(id) || !takesIds)) return true;
      return inherits && isName(ownerOnNetwork(Name, network));
    },
  };
}
