// Finds and removes objects by kind and GUID.

import { deleteEndpoint, forgetDeleted } from './endpoints.ts';
import { HnsError, type HresultName } from './hresults.ts';
import { deleteLoadBalancer } from './load-balancers.ts';
import { deleteNamespace } from './namespaces.ts';
import { deleteNetwork } from './networks.ts';
import { type HnsObject, type Kind, objectsOf, type State } from './state.ts';

export function removeObject(state: State, kind: Kind, id: string): void {
  if (kind === 'LoadBalancer' && !objectsOf(state, kind).has(id))
    throw HnsError.of(state.release.switches.deleteMissingPolicyList);
  switch (kind) {
    case 'Network':
      deleteNetwork(state, id);
      break;
    case 'Endpoint':
      deleteEndpoint(state, id);
      break;
    case 'Namespace':
      deleteNamespace(state, id);
      break;
    case 'LoadBalancer':
      deleteLoadBalancer(state, id);
      break;
  }
}

const missing: Readonly<Record<Kind, HresultName>> = {
  Network: 'HCN_E_NETWORK_NOT_FOUND',
  Endpoint: 'HCN_E_ENDPOINT_NOT_FOUND',
  Namespace: 'ERROR_NOT_FOUND',
  LoadBalancer: 'ERROR_NOT_FOUND',
};

export function findObject(state: State, kind: Kind, id: string): HnsObject {
  const object = objectsOf(state, kind).get(id);
  if (!object) throw new HnsError(missing[kind]);
  if (object.kind === 'Endpoint') forgetDeleted(state, object);
  return object;
}
