// Uncertain: the host's adapters, enumerations, interfaces and reboots.

import { codes, type Variant } from './variant.ts';

export const hostVariants = {
  adapterRelease: {
    meaning: 'creating a network on the adapter of a deleted network: succeeds at once, or on the second try',
    evidence: 'O hcsshim#95, S hnslib hcn tests, which sleep after each deletion; once is I',
    positions: ['at once', 'after a refusal'],
  },
  unreleasedAdapter: {
    meaning: 'the code of the refusal of `adapterRelease`',
    evidence: 'S hnslib hcn tests (0x803B0006), O hcsshim#95 (0x80070490)',
    positions: codes('HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND'),
  },
  networkListing: {
    meaning: 'when an enumeration shows a new network: at once, or after two enumerations without it',
    evidence: 'O hcsshim#850, azure-container-networking#3297; two enumerations are I',
    positions: ['at once', 'late'],
  },
  providerInterface: {
    meaning:
      "when GetAdaptersAddresses shows an overlay network's host interface: at once, or after two calls without it",
    evidence: 'S flannel vxlan_windows.go waits up to 45 s; two calls are I',
    positions: ['at once', 'late'],
  },
  afterReboot: {
    meaning:
      'which objects, including load balancers, a reboot keeps: all, none, or all after three calls without them',
    evidence:
      'O azure-container-networking#4355 (kept), S hcsshim#922 (lost), O k8s#139519 (late, after a restart); three calls are I',
    positions: ['kept', 'lost', 'late'],
  },
  natAfterReboot: {
    meaning: 'whether NAT networks survive a reboot',
    evidence: 'O moby#38358 (WS2019 loses them)',
    positions: ['kept', 'lost'],
    profiles: { ws2019: 'lost' },
  },
} as const satisfies Readonly<Record<string, Variant>>;
