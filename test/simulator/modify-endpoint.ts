// ModifyEndpointSettingRequest.

import { readEndpointPolicies } from './endpoint-policies.ts';
import { requireHealth } from './endpoint-state.ts';
import { checkPortMappings } from './host-ports.ts';
import { changedPolicies } from './modify-policies.ts';
import { policyRequest } from './schema/documents.ts';
import { port, modifyEndpoint as requestSchema } from './schema/requests.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import type { EndpointObject, State } from './state.ts';

export function modifyEndpoint(state: State, endpoint: EndpointObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  requireHealth(state, endpoint);
  const body = request['Settings'] ?? {};
  if (request['ResourceType'] === 'Port') {
    validateObject(port, body, state.release);
    return;
  }
  const given = validateObject(policyRequest, body, state.release);
  const policies = readEndpointPolicies(given['Policies'], state.release);
  const type = String(request['RequestType']);
  const { policyUpdate } = state.release.switches;
  const changed = changedPolicies(endpoint.document.Policies, type, policies, state.release, policyUpdate);
  checkPortMappings(state, endpoint.network, changed, endpoint);
  endpoint.document = { ...endpoint.document, Policies: changed };
}
