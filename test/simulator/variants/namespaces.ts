// Uncertain: namespaces and attaching.

import { codes, type Variant } from './variant.ts';

export const namespaceVariants = {
  removeAbsentEndpoint: {
    meaning: 'the code for removing an endpoint from a namespace that it is not in',
    positions: codes('HCN_E_ENDPOINT_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_ATTACHED'),
  },
  reattachedEndpoint: {
    meaning: 'attaching an endpoint again after it was detached',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  attachTwice: {
    meaning: 'adding an endpoint to the namespace it is in',
    positions: ['refused', 'accepted'],
  },
  attachedEndpointDeletion: {
    meaning: 'HcnDeleteEndpoint of an endpoint that is in a namespace',
    positions: ['accepted', 'refused', 'hangs'],
  },
  resourceId: {
    meaning: "the member with the id of a namespace's resource",
    positions: ['Id', 'ID'],
  },
  hostAttach: {
    meaning: "adding an endpoint to the host's namespace: succeeds at once, or on the third try",
    positions: ['at once', 'after refusals'],
  },
  earlyHostAttach: {
    meaning: 'the code of the refusals of `hostAttach`',
    positions: codes('ERROR_WRONG_DISK', 'GCN_E_NETINTERFACE_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
