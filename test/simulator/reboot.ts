// Restart of the service and reboot of the host.

import { deleteEndpoint } from './endpoints.ts';
import { checkFrontends } from './host-ports.ts';
import { HnsError } from './hresults.ts';
import { detachContainer } from './namespaces.ts';
import { dropNetwork } from './networks.ts';
import type { EndpointObject, HnsObject, Kind, NamespaceObject, NetworkObject, State } from './state.ts';
import { kinds, namespaceOf, objectsOf } from './state.ts';

const enableNonPersistent = 8;
/** How many calls after a reboot find no objects when the variant restores them late. */
const callsWithout = 3;

function dropNonPersistent(state: State): void {
  dropNetworks(state, ({ document }) => (document.Flags & enableNonPersistent) !== 0);
}

/** Deletes what a restart of the service loses: networks with EnableNonPersistent, and endpoints of pods (calico#5164) [O]. */
export function dropAtRestart(state: State): void {
  dropNonPersistent(state);
  if (state.release.switches.objectsAfterRestart === 'kept') return;
  for (const endpoint of [...state.endpoints.values()])
    if (namespaceOf(state, endpoint)?.isDefault === false) deleteEndpoint(state, endpoint.id);
}

/** Ends all containers. The variant `afterReboot` decides which objects remain. */
export function reboot(state: State): void {
  dropNonPersistent(state);
  // CreateIpForwardEntry2's routes last until a reboot.
  state.nodeRoutes.clear();
  state.excludedFrontends.clear();
  const { natAfterReboot, afterReboot } = state.release.switches;
  if (natAfterReboot === 'lost') dropNetworks(state, ({ document }) => document.Type === 'NAT');
  for (const { id, containers } of state.namespaces.values())
    for (const container of [...containers]) detachContainer(state, id, container);
  for (const endpoint of state.endpoints.values()) {
    endpoint.isAttached = false;
    endpoint.isOnHost = false;
  }
  if (afterReboot === 'kept') return;
  const hostEndpoints = hostNamespaces(state).flatMap(({ endpoints }) => [...endpoints]);
  const objects = kinds.flatMap((kind) => removeAll(state, kind));
  if (afterReboot === 'late') state.returning = { calls: callsWithout, objects, hostEndpoints };
}

/** Counts a call after a reboot. Restores late objects when due, except those that conflict with new ones. */
export function countCall(state: State): void {
  if (!state.returning) return;
  const { calls, objects, hostEndpoints } = state.returning;
  state.returning = calls > 0 ? { calls: calls - 1, objects, hostEndpoints } : undefined;
  if (calls > 0) return;
  const created = [...state.networks.values()];
  for (const object of objects)
    if (canReturn(state, object, created)) objectsOf(state, object.kind).set(object.id, object);
  for (const { endpoints } of hostNamespaces(state))
    for (const endpoint of hostEndpoints) if (state.endpoints.has(endpoint.id)) endpoints.add(endpoint);
}

function dropNetworks(state: State, isDropped: (network: NetworkObject) => boolean): void {
  for (const network of [...state.networks.values()]) if (isDropped(network)) dropNetwork(state, network);
}

function hostNamespaces(state: State): NamespaceObject[] {
  return [...state.namespaces.values()].filter(({ isDefault }) => isDefault);
}

/** Removes all objects except the host's namespace. */
function removeAll(state: State, kind: Kind): HnsObject[] {
  const objects = objectsOf(state, kind);
  const removed = [...objects.values()].filter((object) => object.kind !== 'Namespace' || !object.isDefault);
  for (const { id } of removed) objects.delete(id);
  for (const { endpoints } of hostNamespaces(state)) endpoints.clear();
  return removed;
}

function canReturn(state: State, object: HnsObject, created: readonly NetworkObject[]): boolean {
  if (objectsOf(state, object.kind).has(object.id)) return false;
  switch (object.kind) {
    case 'Network':
      return created.every(
        ({ document, adapter }) =>
          document.Name !== object.document.Name && (!adapter || adapter !== object.adapter),
      );
    case 'Endpoint':
      return isBack(state, object);
    case 'LoadBalancer':
      return (
        object.document.HostComputeEndpoints.some((id) => state.endpoints.has(id)) &&
        isFree(() => checkFrontends(state, object.document))
      );
    default:
      return true;
  }
}

function isBack(state: State, { network }: EndpointObject): boolean {
  return state.networks.get(network.id) === network;
}

function isFree(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof HnsError) return false;
    throw error;
  }
}
