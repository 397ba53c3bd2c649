// HNSCall of vmcompute.dll: the V1 API with method, path and request.

import { createEndpoint, endpointStats, requireDetached } from './endpoints.ts';
import { checkPortMappings } from './host-ports.ts';
import { HnsError } from './hresults.ts';
import { createLoadBalancer } from './load-balancers.ts';
import {
  attachEndpoint,
  createNamespace,
  detachEndpoint,
  hostCompartment,
  noteAttachment,
} from './namespaces.ts';
import { createNetwork } from './networks.ts';
import { chosenId } from './object-id.ts';
import { findObject, removeObject } from './objects.ts';
import { readEndpointPolicies } from './policies.ts';
import { isAtLeast } from './profiles.ts';
import { listed, matches } from './query.ts';
import { isObject, type Json, type JsonObject, parseObject } from './schema/validate.ts';
import type { EndpointObject, HnsObject, Kind, State } from './state.ts';
import { documentV1 } from './v1.ts';
import { endpointFromV1, namespaceFromV1, networkFromV1, policyListFromV1 } from './v1-input.ts';

const kinds: Readonly<Record<string, Kind>> = {
  networks: 'Network',
  endpoints: 'Endpoint',
  namespaces: 'Namespace',
  policylists: 'LoadBalancer',
};

/** Failures are returned as the HRESULT of HNSCall itself, as in newer builds. */
export function hnsCall(state: State, [method, path, request]: readonly (string | null)[]): string {
  const parts = (path ?? '').split('/').filter((part) => part !== '');
  return JSON.stringify({
    Success: true,
    Output: answer(state, (method ?? '').toUpperCase(), parts, request ?? ''),
  });
}

function answer(
  state: State,
  method: string,
  [collection = '', id, action]: readonly string[],
  request: string,
): Json {
  if (collection === 'globals' && id === 'version' && method === 'GET') return { ...state.release.version };
  if (collection === 'endpointstats' && id && method === 'GET')
    return endpointStats(findObject(state, 'Endpoint', id.toLowerCase()) as EndpointObject);
  if (collection === 'accelnet' && isAtLeast(state.release.version, 15, 4))
    throw new HnsError('ERROR_NOT_FOUND');
  const kind = kinds[collection.toLowerCase()];
  if (!kind) throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  if (action && id) return act(state, method, kind, id.toLowerCase(), action, request);
  switch (method) {
    case 'GET':
      if (id) return documentV1(state, findObject(state, kind, id.toLowerCase()));
      return list(state, kind, request);
    case 'POST':
      if (id)
        return documentV1(
          state,
          update(state, findObject(state, kind, id.toLowerCase()), parseObject(request)),
        );
      return documentV1(state, create(state, kind, parseObject(request)));
    case 'DELETE':
      if (kind === 'Endpoint') requireDetached(state, (id ?? '').toLowerCase());
      removeObject(state, kind, (id ?? '').toLowerCase());
      return {};
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

function list(state: State, kind: Kind, request: string): Json {
  const filter = request === '' ? {} : parseObject(request);
  const documents = listed(state, kind).map((object) => documentV1(state, object));
  return documents.filter((document) => matches(document, filter));
}

function create(state: State, kind: Kind, given: JsonObject): HnsObject {
  const id = chosenId(state, kind);
  switch (kind) {
    case 'Network':
      return createNetwork(state, id, networkFromV1(given));
    case 'Endpoint': {
      const network = state.networks.get(String(given['VirtualNetwork'] ?? '').toLowerCase());
      if (!network) throw new HnsError('HCN_E_NETWORK_NOT_FOUND');
      return createEndpoint(state, network, id, endpointFromV1(given));
    }
    case 'Namespace':
      return createNamespace(state, id, namespaceFromV1(given));
    case 'LoadBalancer':
      return createLoadBalancer(state, id, policyListFromV1(given));
    case 'SdnRoute':
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

/** `/endpoints/{id}/attach` and detach, `/namespaces/{id}/addresource` and removeresource. */
function act(state: State, method: string, kind: Kind, id: string, action: string, request: string): Json {
  const object = findObject(state, kind, id);
  if (method !== 'POST') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  switch (`${kind} ${action.toLowerCase()}`) {
    case 'Endpoint attach':
      setAttached(state, object, true, isForHost(request));
      return {};
    case 'Endpoint detach':
      setAttached(state, object, false);
      return {};
    case 'Namespace addresource':
      attachEndpoint(state, id, endpointIn(request));
      return documentV1(state, object);
    case 'Namespace removeresource':
      detachEndpoint(state, id, endpointIn(request));
      return documentV1(state, object);
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

/** hcsshim's HostAttach(1) sends the host's compartment [S]. */
function isForHost(request: string): boolean {
  const { SystemType: system, CompartmentId: compartment } = request === '' ? {} : parseObject(request);
  return system === 'Host' && compartment === hostCompartment;
}

function setAttached(state: State, object: HnsObject, attached: boolean, isOnHost = false): void {
  if (object.kind !== 'Endpoint') return;
  if (object.isAttached === attached)
    throw new HnsError(attached ? 'HCN_E_ENDPOINT_ALREADY_ATTACHED' : 'HCN_E_ENDPOINT_NOT_ATTACHED');
  if (attached) {
    noteAttachment(state, object);
  }
  object.isAttached = attached;
  object.isOnHost = isOnHost;
}

/** In V1 a second POST updates an endpoint; only its policies may change. */
function update(state: State, object: HnsObject, given: JsonObject): HnsObject {
  if (object.kind !== 'Endpoint') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const policies = readEndpointPolicies(endpointFromV1(given)['Policies'], state.release);
  checkPortMappings(state, object.network, policies, object);
  object.document = { ...object.document, Policies: policies };
  return object;
}

function endpointIn(request: string): string {
  const { Data: data } = parseObject(request);
  if (!isObject(data)) throw new HnsError('HCN_E_INVALID_JSON');
  return String(data['Id'] ?? '').toLowerCase();
}
