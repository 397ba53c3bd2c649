// Uncertain: policies of networks and endpoints.

import type { Variant } from './variant.ts';

export const policyVariants = {
  hostBitsInExceptions: {
    meaning: 'an OutBoundNAT exception with host bits, such as 172.17.0.1/16',
    positions: ['refused', 'accepted'],
    profiles: { ws2019: 'accepted' },
  },
  mixedExceptions: {
    meaning: 'an OutBoundNAT policy with IPv4 and IPv6 prefixes in one list',
    positions: ['refused', 'accepted'],
  },
  unknownSettings: {
    meaning: "unknown members of a policy's Settings",
    positions: ['ignored', 'refused'],
  },
  policyWithoutSettings: {
    meaning: 'a policy without the member `Settings`',
    positions: ['accepted', 'refused'],
  },
  policiesWrittenBack: {
    meaning:
      "how queries show an endpoint's policies: as sent, with OutBoundNAT merged and without EncapOverhead, or with one ACL for all",
    positions: ['all', 'merged', 'coalesced ACLs'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
