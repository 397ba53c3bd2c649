// Uncertain: the host's adapters, enumerations, interfaces and reboots.

import { codes, type Variant } from './variant.ts';

export const hostVariants = {
  adapterRelease: {
    meaning: 'creating a network on the adapter of a deleted network: succeeds at once, or on the second try',
    positions: ['at once', 'after a refusal'],
  },
  unreleasedAdapter: {
    meaning: 'the code of the refusal of `adapterRelease`',
    positions: codes('HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND'),
  },
  networkListing: {
    meaning: 'when an enumeration shows a new network: at once, or after two enumerations without it',
    positions: ['at once', 'late'],
  },
  providerInterface: {
    meaning:
      "when GetAdaptersAddresses shows an overlay network's host interface: at once, or after two calls without it",
    positions: ['at once', 'late'],
  },
  afterReboot: {
    meaning: 'which objects, including load balancers, a reboot keeps: all, or none',
    positions: ['kept', 'lost'],
  },
  objectsAfterRestart: {
    meaning: 'which objects a restart of the service keeps: all, or all but the endpoints of pods',
    positions: ['kept', 'lost in part'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
