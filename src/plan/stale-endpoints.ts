import { isName } from '../cni/name.ts';
import type { Attachment } from '../cni/request.ts';
import type { Manner } from '../config/manner.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { attachmentNamed, endpointId, isDerived, ownerOnNetwork } from './identity.ts';

/** What GC asks of the endpoints on a network. */
export interface Staleness {
  /** Whether an endpoint with this id is worth a look. */
  mayBeStale(id: Guid): boolean;
  /** Whether it was made for a container, and for none of the valid attachments. */
  isStale(endpoint: ObservedEndpoint): boolean;
}

/**
 * An endpoint is ours when its id is the one we derive from its name. Where the configuration is in another plugin's vocabulary,
 * that plugin's endpoints are ours to clean up too: theirs and ours are called after container and network, and only theirs have an
 * id of HNS's.
 */
export function staleness(
  network: string,
  valid: readonly Attachment[],
  { endpointName }: Manner,
): Staleness {
  const validIds = new Set(valid.map(endpointId));
  const validContainers = new Set(valid.map(({ containerId }) => containerId));
  const inherits = endpointName === 'without interface';
  return {
    mayBeStale: (id) => !validIds.has(id) && (inherits || isDerived(id)),
    isStale: ({ ID: id, Name }) => {
      if (attachmentNamed(Name, id, network) !== undefined) return true;
      const containerId = ownerOnNetwork(Name, network);
      if (!inherits || !isName(containerId)) return false;
      return isDerived(id) || !validContainers.has(containerId);
    },
  };
}
