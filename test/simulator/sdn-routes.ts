// Creates and deletes HostComputeRoutes, which computenetwork.dll calls SdnRoute.

import { v4 as uuidv4 } from 'uuid';
import { parseAddress, parsePrefix } from './addresses.ts';
import { HnsError } from './hresults.ts';
import { readReferences } from './load-balancers.ts';
import { idIn } from './object-id.ts';
import { hostComputeRoute } from './schema/documents.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import type { SdnRouteObject, State } from './state.ts';

export function createSdnRoute(
  state: State,
  requestedId: string | undefined,
  settings: JsonObject,
): SdnRouteObject {
  const given = validateObject(hostComputeRoute, settings, state.release);
  const id = requestedId ?? idIn(given) ?? uuidv4();
  if (state.routes.has(id)) throw new HnsError('ERROR_ALREADY_EXISTS');
  const routes = (given['Routes'] ?? []) as JsonObject[];
  if (!routes.every(isValidRoute)) throw new HnsError('HCN_E_INVALID_POLICY');
  const network = given['HostComputeNetwork'];
  const route: SdnRouteObject = {
    kind: 'SdnRoute',
    id,
    created: Date.now(),
    document: {
      ...(typeof network === 'string' && network !== '' && { HostComputeNetwork: network }),
      HostComputeEndpoints: readReferences(state, given['HostComputeEndpoints']),
      Routes: routes,
    },
  };
  state.routes.set(id, route);
  return route;
}

export function deleteSdnRoute(state: State, id: string): void {
  if (!state.routes.delete(id)) throw new HnsError('ERROR_NOT_FOUND');
}

/** A prefix with host bits is accepted (hnslib's tests use 169.254.169.254/24). */
function isValidRoute(route: JsonObject): boolean {
  const { DestinationPrefix = '', NextHop = '' } = route;
  const hop = NextHop === '' || parseAddress(String(NextHop)) !== undefined;
  return hop && parsePrefix(String(DestinationPrefix)) !== undefined;
}
