// ModifyNetworkSettingRequest, for policies. HNS also changes DNS settings and subnets, which win-hcn does not send.

import { HnsError } from './hresults.ts';
import { changedPolicies, readNetworkPolicies } from './policies.ts';
import { policyRequest, modifyNetwork as requestSchema } from './schema/documents.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import type { NetworkObject, State } from './state.ts';

export function modifyNetwork({ release }: State, network: NetworkObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, release);
  if (request['ResourceType'] !== 'Policy') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const given = validateObject(policyRequest, request['Settings'] ?? {}, release);
  const policies = readNetworkPolicies(given['Policies'], release);
  const Policies = changedPolicies(network.document.Policies, String(request['RequestType']), policies);
  network.document = { ...network.document, Policies };
}
