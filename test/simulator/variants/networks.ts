// Uncertain: networks.

import { codes, type Variant } from './variant.ts';

export const networkVariants = {
  callerIds: {
    meaning: 'whether a new network, endpoint or load balancer gets the requested id',
    evidence: 'I: hcsshim and hns.v2.psm1 never request one; WSL does, on client Windows',
    positions: ['honoured', 'ignored'],
  },
  idConflict: {
    meaning: 'which id a new object gets when argument and document differ',
    evidence: 'I',
    positions: ['argument', 'document'],
  },
  duplicateNetworkName: {
    meaning: 'a second network with the same name',
    evidence: 'O hcsshim#850',
    positions: ['refused', 'accepted'],
  },
  secondNat: {
    meaning: 'a second NAT network; releases after WS2019 isolate them with VLANs',
    evidence: 'O docker-netrestore; the code I',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  concurrentNetworks: {
    meaning: 'creating a network while another one is being created',
    evidence: 'C contrail HNS_error_bestiary',
    positions: ['serialised', 'fail'],
  },
  subnetOverlap: {
    meaning: 'the code for a subnet that overlaps one with an address on the host',
    evidence: 'O wsl2-boot#3, hyperv-fix-for-devs#13',
    positions: codes('ERROR_DUP_NAME', 'ERROR_ALREADY_EXISTS'),
  },
  overlapAcrossTypes: {
    meaning: 'a subnet that overlaps the subnet of a network without an address on the host',
    evidence: 'I',
    positions: ['accepted', 'refused'],
  },
  overlayWithoutVsid: {
    meaning: 'an overlay subnet without a VSID policy',
    evidence: 'I',
    positions: ['refused', 'accepted'],
  },
  bridgeWithoutSubnet: {
    meaning: 'an L2Bridge or L2Tunnel network without subnets',
    evidence: 'I',
    positions: ['refused', 'accepted'],
  },
  hostRoute: {
    meaning: 'the policy HostRoute, at creation or later',
    evidence: 'S hcnglobals.go (from 9.2); D (from build 18321)',
    positions: ['accepted', 'refused'],
  },
  hostRouteAtCreation: {
    meaning: 'HostRoute in the document of a new network',
    evidence: 'S flannel device_windows.go and hns.v2.psm1 add it afterwards; the refusal and its code I',
    positions: ['accepted', 'refused'],
  },
  deleteMissingNetwork: {
    meaning: 'the code of HcnDeleteNetwork for a missing network',
    evidence: 'C',
    positions: codes('ERROR_NOT_FOUND', 'HCN_E_NETWORK_NOT_FOUND'),
  },
  networkWithEndpoints: {
    meaning: 'deleting a network with endpoints: deletes them too, keeps them, or returns ERROR_BUSY',
    evidence: 'T hnsv1_test.go (succeeds); what happens to the endpoints is I',
    positions: ['cascades', 'leaves', 'refuses'],
  },
  exhaustedMacPool: {
    meaning: 'the code for a MAC pool without a free address',
    evidence: 'I',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_NOT_FOUND'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
