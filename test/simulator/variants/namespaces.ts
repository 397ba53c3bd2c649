// Uncertain: namespaces and attaching.

import { codes, type Variant } from './variant.ts';

export const namespaceVariants = {
  removeAbsentEndpoint: {
    meaning: 'the code for removing an endpoint from a namespace that it is not in',
    evidence: 'S nvx accepts both',
    positions: codes('HCN_E_ENDPOINT_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_ATTACHED'),
  },
  reattachedEndpoint: {
    meaning: 'attaching an endpoint again after it was detached',
    evidence: 'O buildkit#5686 (WS2019 refuses it)',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  attachTwice: {
    meaning: 'adding an endpoint to the namespace it is in',
    evidence: 'I',
    positions: ['refused', 'accepted'],
  },
  attachMissingEndpoint: {
    meaning: 'the code for adding a missing endpoint to a namespace',
    evidence: 'I',
    positions: codes('HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'),
  },
  attachedEndpointDeletion: {
    meaning: 'HcnDeleteEndpoint of an endpoint that is in a namespace',
    evidence:
      'S calico and WSL (accepted), O Windows-Containers#485 (0x803B0015), moby#40699 and antrea#650 (hangs)',
    positions: ['accepted', 'refused', 'hangs'],
  },
  namespaceIdBeforeAttach: {
    meaning: '`NamespaceId` of a namespace without a compartment',
    evidence: 'I',
    positions: ['zero', 'omitted'],
  },
  hostAttach: {
    meaning: "adding an endpoint to the host's namespace: succeeds at once, or on the third try",
    evidence: 'S flannel hostgw_windows.go and terway endpoint.go retry; twice is I',
    positions: ['at once', 'after refusals'],
  },
  earlyHostAttach: {
    meaning: 'the code of the refusals of `hostAttach`',
    evidence: 'O flannel#1112 (0x80070022, the only code on record); 0x803B0028, a missing interface, is I',
    positions: codes('ERROR_WRONG_DISK', 'GCN_E_NETINTERFACE_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
