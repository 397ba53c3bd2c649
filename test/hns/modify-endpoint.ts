// ModifyEndpointSettingRequest (hcn.md 2.4, 3.3).

import { checkPortMappings } from './host-ports.ts';
import { HnsError } from './hresults.ts';
import { readPolicies, removePolicies, updatePolicies } from './policies.ts';
import { policyRequest } from './schema/documents.ts';
import { port, modifyEndpoint as requestSchema } from './schema/requests.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import type { EndpointObject, State } from './state.ts';

export function modifyEndpoint(state: State, endpoint: EndpointObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  const body = request['Settings'] ?? {};
  if (request['ResourceType'] === 'Port') {
    validateObject(port, body, state.release);
    return;
  }
  const given = validateObject(policyRequest, body, state.release);
  const policies = readPolicies('endpoint', given['Policies'], state.release);
  const changed = changedPolicies(endpoint, String(request['RequestType']), policies);
  checkPortMappings(state, endpoint.network, changed, endpoint);
  endpoint.document = { ...endpoint.document, Policies: changed };
}

function changedPolicies(
  endpoint: EndpointObject,
  type: string,
  policies: EndpointObject['document']['Policies'],
) {
  const existing = endpoint.document.Policies;
  if (type === 'Add') return [...existing, ...policies];
  if (type === 'Remove') return removePolicies(existing, policies);
  if (type === 'Update') return updatePolicies(existing, policies);
  throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
}
