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
  addressConflict: {
    meaning: 'the code for an address that is in use or reserved',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS'),
    profiles: { ws2019: hresultOf('ERROR_OBJECT_ALREADY_EXISTS') },
  },
  duplicateRemoteAddress: {
    meaning: 'a remote endpoint with an address that is in use',
    positions: ['refused', 'accepted'],
    profiles: { ws2019: 'accepted' },
  },
  newAddress: {
    meaning: 'when a query shows the addresses of a new endpoint: at once, or not the first time',
    positions: ['at once', 'later'],
  },
  deletedEndpoint: {
    meaning: 'a deleted endpoint: gone, or found and in the way of a new one for some calls',
    positions: ['gone', 'lingers'],
  },
  unspecifiedNextHop: {
    meaning: 'a default route of an endpoint through 0.0.0.0 or ::, which means that there is none',
    positions: ['accepted', 'refused'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
