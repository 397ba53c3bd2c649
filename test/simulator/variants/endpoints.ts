// Uncertain: endpoints and their addresses.

import { hresultOf } from '../hresults.ts';
import { codes, type Variant } from './variant.ts';

export const endpointVariants = {
  duplicateEndpoint: {
    meaning: 'the code for a new endpoint whose id is in use',
    positions: codes('ERROR_OBJECT_ALREADY_EXISTS', 'ERROR_ALREADY_EXISTS'),
  },
  deleteMissingEndpoint: {
    meaning: 'the code of HcnDeleteEndpoint for a missing endpoint',
    positions: codes('HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'),
  },
  otherNetworkInEndpoint: {
    meaning: 'a new endpoint whose `HostComputeNetwork` is not the network of the handle',
    positions: ['refused', 'ignored'],
  },
  namespaceInEndpoint: {
    meaning: '`HostComputeNamespace` in the document of a new endpoint',
    positions: ['attached', 'ignored'],
  },
  addressConflict: {
    meaning: 'the code for an address that is in use or reserved',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS'),
    profiles: { ws2019: hresultOf('ERROR_OBJECT_ALREADY_EXISTS') },
  },
  exhaustedSubnet: {
    meaning: 'the code for a subnet without a free address',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS', 'HCN_E_INVALID_IP'),
    profiles: { ws2019: hresultOf('ERROR_OBJECT_ALREADY_EXISTS') },
  },
  duplicateRemoteAddress: {
    meaning: 'a remote endpoint with an address that is in use',
    positions: ['refused', 'accepted'],
    profiles: { ws2019: 'accepted' },
  },
  emptyIpConfigurations: {
    meaning: '`IpConfigurations: []`: no address, or an automatic one',
    positions: ['none', 'automatic'],
  },
  secondAddressOfFamily: {
    meaning: 'an endpoint with two addresses of one family',
    positions: ['accepted', 'refused'],
  },
  earlyStaticAddress: {
    meaning: 'the code for a static address before a transparent network is ready',
    positions: codes('HCN_E_INVALID_IP', 'HCN_E_SUBNET_NOT_FOUND'),
  },
  remoteWithoutProviderAddress: {
    meaning: "a remote endpoint of an overlay network without its node's address",
    positions: ['refused', 'accepted'],
  },
  endpointDns: {
    meaning: 'whether an endpoint without DNS settings inherits those of its network',
    positions: ['inherited', 'own'],
  },
  newAddress: {
    meaning: 'when a query shows the addresses of a new endpoint: at once, or not the first time',
    positions: ['at once', 'later'],
  },
  deletedEndpoint: {
    meaning: 'a deleted endpoint: gone, or found and in the way of a new one for some calls',
    positions: ['gone', 'lingers'],
  },
  degradedOperation: {
    meaning: 'modifying or attaching a degraded endpoint',
    positions: ['accepted', 'refused'],
  },
  unspecifiedNextHop: {
    meaning: 'a default route of an endpoint through 0.0.0.0 or ::, which means that there is none',
    positions: ['accepted', 'refused'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
