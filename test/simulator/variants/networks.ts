// Uncertain: networks.

import { codes, type Variant } from './variant.ts';

export const networkVariants = {
  callerIds: {
    meaning: 'whether a new network, endpoint or load balancer gets the requested id',
    positions: ['honored', 'ignored'],
  },
  idConflict: {
    meaning: 'which id a new object gets when argument and document differ',
    positions: ['argument', 'document'],
  },
  duplicateNetworkName: {
    meaning: 'a second network with the same name',
    positions: ['refused', 'accepted'],
  },
  secondNat: {
    meaning: 'a second NAT network; releases after WS2019 isolate them with VLANs',
    positions: ['accepted', 'refused'],
    profiles: { ws2019: 'refused' },
  },
  concurrentNetworks: {
    meaning: 'creating a network while another one is being created',
    positions: ['serialized', 'some refused'],
  },
  hostRoute: {
    meaning: 'the policy HostRoute, at creation or later',
    positions: ['accepted', 'refused'],
  },
  hostRouteAtCreation: {
    meaning: 'HostRoute in the document of a new network',
    positions: ['accepted', 'refused'],
  },
  deleteMissingNetwork: {
    meaning: 'the code of HcnDeleteNetwork for a missing network',
    positions: codes('ERROR_NOT_FOUND', 'HCN_E_NETWORK_NOT_FOUND'),
  },
  networkWithEndpoints: {
    meaning: 'deleting a network with endpoints: deletes them too, keeps them, or returns ERROR_BUSY',
    positions: ['endpoints deleted', 'endpoints kept', 'refused'],
  },
  natVlan: {
    meaning: 'whether a query shows the VLAN that HNS gives a NAT network as a policy of its subnets',
    positions: ['none', 'shown'],
  },
  adapterName: {
    meaning: 'the adapter in NetAdapterName as queries return it: X, or vEthernet (X)',
    positions: ['as sent', 'vEthernet'],
  },
  managementAddressQuery: {
    meaning: 'a V1 query of a network, which shows its ManagementIP',
    positions: ['answered', 'refused'],
  },
  firstEndpoint: {
    meaning: 'creating endpoints on a new network with an adapter: succeeds at once, or on the third try',
    positions: ['accepted', 'after refusals'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
