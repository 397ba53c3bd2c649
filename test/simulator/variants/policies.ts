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
  ipv6PortMapping: {
    meaning: 'a port mapping with the flag IPv6, which schema 2.8 defines',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  hcsshimMembers: {
    meaning:
      'members that hcsshim sends and the schema lacks, such as `Setting` of a route: unsupported like any unknown member, or supported',
    positions: ['unsupported', 'supported'],
  },
  unknownSettings: {
    meaning: "unknown members of a policy's Settings",
    positions: ['ignored', 'refused'],
  },
  policyWithoutSettings: {
    meaning: 'a policy without the member `Settings`',
    positions: ['accepted', 'refused'],
  },
  policyUpdate: {
    meaning: 'which policies of an endpoint Update replaces: all, or those of the types in the request',
    positions: ['all types', 'only the types sent'],
  },
  removeAbsentPolicy: {
    meaning: 'removing a policy that is absent',
    positions: ['refused', 'ignored'],
  },
  policiesWrittenBack: {
    meaning:
      "how queries show an endpoint's policies: as sent, with OutBoundNAT merged and without EncapOverhead, or with one ACL for all",
    positions: ['all', 'merged', 'coalesced ACLs'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
