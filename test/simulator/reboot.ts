// Restart of the service and reboot of the host.

import { deleteEndpoint } from './endpoints.ts';
import { detachContainer } from './namespaces.ts';
import { dropNetwork } from './networks.ts';
import { isAtLeast } from './profiles.ts';
import type { Kind, NamespaceObject, NetworkObject, State } from './state.ts';
import { kinds, namespaceOf, objectsOf } from './state.ts';

const enableNonPersistent = 8;

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
  const { afterReboot } = state.release.switches;
  if (!isAtLeast(state.release.version, 10, 0))
    dropNetworks(state, ({ document }) => document.Type === 'NAT');
  for (const { id, containers } of state.namespaces.values())
    for (const container of [...containers]) detachContainer(state, id, container);
  for (const endpoint of state.endpoints.values()) endpoint.isOnHost = false;
  if (afterReboot === 'kept') return;
  for (const kind of kinds) removeAll(state, kind);
}

function dropNetworks(state: State, isDropped: (network: NetworkObject) => boolean): void {
  for (const network of [...state.networks.values()]) if (isDropped(network)) dropNetwork(state, network);
}

function hostNamespaces(state: State): NamespaceObject[] {
  return [...state.namespaces.values()].filter(({ isDefault }) => isDefault);
}

/** Removes all objects except the host's namespace. */
function removeAll(state: State, kind: Kind): void {
  const objects = objectsOf(state, kind);
  const removed = [...objects.values()].filter((object) => object.kind !== 'Namespace' || !object.isDefault);
  for (const { id } of removed) objects.delete(id);
  for (const { endpoints } of hostNamespaces(state)) endpoints.clear();
}
