// The state of an endpoint, and endpoints that a fault degrades.

import type { UnhealthyEndpoint } from './faults.ts';
import { type EndpointObject, namespaceOf, type State } from './state.ts';

const created = 1;
const attached = 2;
const attachedSharing = 3;
const detached = 4;

export function stateOf(state: State, endpoint: EndpointObject): number {
  if (endpoint.unhealthy?.state !== undefined) return endpoint.unhealthy.state;
  const namespace = namespaceOf(state, endpoint);
  const containers = (namespace?.containers.size ?? 0) + (endpoint.isOnHost ? 1 : 0);
  if (containers > 1) return attachedSharing;
  if (containers === 1) return attached;
  return endpoint.wasAttached && !namespace ? detached : created;
}

/** Degrades the named endpoint, or those created since `known` was taken. */
export function makeUnhealthy(
  state: State,
  known: ReadonlySet<string>,
  { id, ...unhealthy }: UnhealthyEndpoint,
): void {
  for (const endpoint of state.endpoints.values()) {
    const isMeant = id === undefined ? !known.has(endpoint.id) : endpoint.id === id.toLowerCase();
    if (isMeant) endpoint.unhealthy = unhealthy;
  }
}
