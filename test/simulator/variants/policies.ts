// Uncertain: policies of networks and endpoints.

import type { Variant } from './variant.ts';

export const policyVariants = {
  hostBitsInExceptions: {
    meaning: 'an OutBoundNAT exception with host bits, such as 172.17.0.1/16',
    evidence: 'O hcsshim#1951 (WS2022 refuses it, WS2019 accepts it)',
    positions: ['refused', 'accepted'],
    profiles: { ws2019: 'accepted' },
  },
  mixedExceptions: {
    meaning: 'an OutBoundNAT policy with IPv4 and IPv6 prefixes in one list',
    evidence:
      "O AgentBaker#3049, S windows-container-networking's examples have a policy per family; the code I",
    positions: ['refused', 'accepted'],
  },
  ipv6PortMapping: {
    meaning: 'a port mapping with the flag IPv6, which schema 2.8 defines',
    evidence: 'D HNS_Schema.md NatFlags',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  hcsshimMembers: {
    meaning: 'members that hcsshim sends and the schema lacks, such as `Setting` of a route',
    evidence: 'S hcnroute.go, hcnpolicy.go',
    positions: ['refused', 'accepted'],
  },
  unknownSettings: {
    meaning: "unknown members of a policy's Settings",
    evidence:
      'S WMCO ships exceptionList, destinationPrefix and needEncap, O projectcalico/cni-plugin#1067 (ignored); refused I',
    positions: ['ignored', 'refused'],
  },
  policyWithoutSettings: {
    meaning: 'a policy without the member `Settings`',
    evidence: 'S hns.v2.psm1 always sends Settings; that others are refused, and the code, I',
    positions: ['accepted', 'refused'],
  },
  policyUpdate: {
    meaning: 'which policies of an endpoint Update replaces: all, or those of the types in the request',
    evidence: 'S azure-npm policymanager_windows.go resets ACLs by leaving them out; namedTypes I',
    positions: ['all', 'namedTypes'],
  },
  removeAbsentPolicy: {
    meaning: 'removing a policy that is absent',
    evidence: 'I',
    positions: ['refused', 'ignored'],
  },
  policiesWrittenBack: {
    meaning:
      "how queries show an endpoint's policies: as sent, or with OutBoundNAT merged and without EncapOverhead",
    evidence: 'O AKS#1367 (EncapOverhead is a plain member of V1); merging I',
    positions: ['all', 'merged'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
