// ModifyNamespaceSettingRequest.

import { requireHealth } from './endpoint-state.ts';
import { HnsError } from './hresults.ts';
import { attachContainer, attachEndpoint, detachContainer, detachEndpoint } from './namespaces.ts';
import {
  namespaceContainer,
  namespaceEndpoint,
  modifyNamespace as requestSchema,
} from './schema/requests.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import type { NamespaceObject, State } from './state.ts';

export function modifyNamespace(state: State, namespace: NamespaceObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  const isEndpoint = request['ResourceType'] === 'Endpoint';
  const schema = isEndpoint ? namespaceEndpoint : namespaceContainer;
  const body = validateObject(schema, request['Settings'] ?? {}, state.release);
  const member = String(isEndpoint ? body['EndpointId'] : body['ContainerId']);
  switch (request['RequestType']) {
    case 'Add':
      if (isEndpoint) addEndpoint(state, namespace, member);
      else attachContainer(state, namespace.id, member);
      break;
    case 'Remove':
      (isEndpoint ? detachEndpoint : detachContainer)(state, namespace.id, member);
      break;
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

function addEndpoint(state: State, namespace: NamespaceObject, id: string): void {
  const { attachMissingEndpoint, attachTwice } = state.release.switches;
  const endpoint = state.endpoints.get(id);
  if (!endpoint) throw HnsError.of(attachMissingEndpoint);
  requireHealth(state, endpoint);
  if (namespace.endpoints.has(endpoint) && attachTwice === 'accepted') return;
  attachEndpoint(state, namespace.id, id);
}
