// Creates, modifies and deletes HostComputeNamespaces; attaches endpoints and containers.

import { v4 as uuidv4 } from 'uuid';
import { isRemote, type NamespaceType } from './documents.ts';
import { HnsError } from './hresults.ts';
import { idIn } from './object-id.ts';
import {
  namespaceEndpoint,
  namespace as namespaceSchema,
  modifyNamespace as requestSchema,
} from './schema/documents.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import { type EndpointObject, type NamespaceObject, namespaceOf, type State } from './state.ts';

const hostCompartment = 1;
const earlyAttachments = 2;

export function createNamespace(
  state: State,
  requestedId: string | undefined,
  settings: JsonObject,
): NamespaceObject {
  const given = validateObject(namespaceSchema, settings, state.release);
  const id = requestedId ?? idIn(given) ?? uuidv4();
  if (state.namespaces.has(id)) throw new HnsError('ERROR_ALREADY_EXISTS');
  const namespace = newNamespace(id, (given['Type'] ?? 'Host') as NamespaceType, false);
  state.namespaces.set(id, namespace);
  return namespace;
}

/** Creates the namespace of the host, which always exists. */
export function createSystemNamespace(state: State, id: string): void {
  state.namespaces.set(id, { ...newNamespace(id, 'HostDefault', true), compartment: hostCompartment });
}

function newNamespace(id: string, type: NamespaceType, isDefault: boolean): NamespaceObject {
  return {
    kind: 'Namespace',
    id,
    created: Date.now(),
    type,
    isDefault,
    compartment: 0,
    containers: new Set(),
    endpoints: new Set(),
  };
}

/** Detaches the endpoints in the namespace. Throws if a container is in it (Windows-Containers#485). */
export function deleteNamespace(state: State, id: string): void {
  const namespace = findNamespace(state, id);
  if (namespace.containers.size > 0 || namespace.isDefault) throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  state.namespaces.delete(id);
}

export function attachEndpoint(state: State, id: string, endpointId: string): void {
  const namespace = findNamespace(state, id);
  const endpoint = findEndpoint(state, endpointId);
  if (isRemote(endpoint.document)) throw new HnsError('HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION');
  if (namespaceOf(state, endpoint)) throw new HnsError('HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS');
  if (endpoint.isOnHost) throw new HnsError('HCN_E_ENDPOINT_ALREADY_ATTACHED');
  if (namespace.isDefault) requireHostAttach(state, endpoint);
  noteAttachment(state, endpoint);
  namespace.endpoints.add(endpoint);
}

/** HNS may refuse to attach a new endpoint to the host; flannel retries for five seconds [S]. */
function requireHostAttach(state: State, { id }: EndpointObject): void {
  const refused = state.refusedAttachments.get(id) ?? 0;
  if (state.release.switches.hostAttach === 'at once' || refused === earlyAttachments) return;
  state.refusedAttachments.set(id, refused + 1);
  throw HnsError.of(state.release.switches.earlyHostAttach);
}

/** WS2019 attaches an endpoint once in its life (buildkit#5686). */
export function noteAttachment(state: State, endpoint: EndpointObject): void {
  if (endpoint.wasAttached && state.release.switches.reattachedEndpoint === 'refused')
    throw new HnsError('HCN_E_NAMESPACE_ATTACH_FAILED');
  endpoint.wasAttached = true;
}

export function detachEndpoint(state: State, id: string, endpointId: string): void {
  const namespace = findNamespace(state, id);
  const endpoint = state.endpoints.get(endpointId);
  if (!endpoint || !namespace.endpoints.has(endpoint))
    throw HnsError.of(state.release.switches.removeAbsentEndpoint);
  if (namespace.containers.size > 0) throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  namespace.endpoints.delete(endpoint);
}

/** The first container creates the compartment. */
export function attachContainer(state: State, id: string, containerId: string): void {
  const namespace = findNamespace(state, id);
  namespace.containers.add(containerId);
  if (namespace.compartment === 0 && namespace.type === 'Host')
    namespace.compartment = nextCompartment(state);
}

export function detachContainer(state: State, id: string, containerId: string): void {
  const namespace = findNamespace(state, id);
  if (!namespace.containers.delete(containerId)) throw new HnsError('ERROR_NOT_FOUND');
  if (namespace.containers.size === 0 && !namespace.isDefault) namespace.compartment = 0;
}

function findNamespace(state: State, id: string): NamespaceObject {
  const namespace = state.namespaces.get(id);
  if (!namespace) throw new HnsError('ERROR_NOT_FOUND');
  return namespace;
}

function findEndpoint(state: State, id: string): EndpointObject {
  const endpoint = state.endpoints.get(id);
  if (!endpoint) throw new HnsError('HCN_E_ENDPOINT_NOT_FOUND');
  return endpoint;
}

function nextCompartment(state: State): number {
  return (
    Math.max(hostCompartment, ...[...state.namespaces.values()].map(({ compartment }) => compartment)) + 1
  );
}

export function modifyNamespace(state: State, namespace: NamespaceObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  if (request['ResourceType'] !== 'Endpoint') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const { EndpointId } = validateObject(namespaceEndpoint, request['Settings'] ?? {}, state.release);
  switch (request['RequestType']) {
    case 'Add':
      addEndpoint(state, namespace, String(EndpointId));
      break;
    case 'Remove':
      detachEndpoint(state, namespace.id, String(EndpointId));
      break;
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}

function addEndpoint(state: State, namespace: NamespaceObject, id: string): void {
  const endpoint = state.endpoints.get(id);
  if (!endpoint) throw new HnsError('HCN_E_ENDPOINT_NOT_FOUND');
  if (namespace.endpoints.has(endpoint) && state.release.switches.attachTwice === 'accepted') return;
  attachEndpoint(state, namespace.id, id);
}
