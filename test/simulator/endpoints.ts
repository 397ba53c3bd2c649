// Creates, modifies and deletes HostComputeEndpoints.

import { v4 as uuidv4 } from 'uuid';
import { parseAddress, parsePrefix } from './addresses.ts';
import { type Dns, type Endpoint, type IpConfig, isRemote, type Policy, type Route } from './documents.ts';
import {
  automaticAddresses,
  checkAddress,
  checkDistinct,
  isUnspecified,
  routesFor,
} from './endpoint-addresses.ts';
import { checkPortMappings } from './host-ports.ts';
import { HnsError } from './hresults.ts';
import { isMacAddress, nextMacAddress } from './mac-pool.ts';
import { idIn, zeroGuid } from './object-id.ts';
import { changedPolicies, readEndpointPolicies } from './policies.ts';
import {
  endpoint as endpointSchema,
  policyRequest,
  modifyEndpoint as requestSchema,
} from './schema/documents.ts';
import { type Json, type JsonObject, validateObject } from './schema/validate.ts';
import { type EndpointObject, endpointsOf, type NetworkObject, namespaceOf, type State } from './state.ts';

export function createEndpoint(
  state: State,
  network: NetworkObject,
  requestedId: string | undefined,
  settings: JsonObject,
): EndpointObject {
  const given = validateObject(endpointSchema, settings, state.release);
  const named = given['HostComputeNetwork'] ?? zeroGuid;
  if (named !== zeroGuid && named !== network.id) throw new HnsError('HCN_E_INVALID_ENDPOINT');
  const id = requestedId ?? idIn(given) ?? uuidv4();
  refuseFirst(network);
  forgetDeleted(state);
  if (state.endpoints.has(id)) throw HnsError.of(state.release.switches.duplicateEndpoint);
  const document = endpointDocument(state, network, given);
  checkPortMappings(state, network, document.Policies);
  const endpoint: EndpointObject = {
    kind: 'Endpoint',
    id,
    created: Date.now(),
    network,
    isOnHost: false,
    wasAttached: false,
    unhealthy: undefined,
    withoutAddress: state.release.switches.newAddress === 'later' ? 1 : 0,
    lingering: undefined,
    document,
  };
  state.endpoints.set(id, endpoint);
  return endpoint;
}

/** A switch may need some seconds before it takes endpoints (windows-container-networking's tests try again) [S]. */
function refuseFirst(network: NetworkObject): void {
  if (network.refusals === 0) return;
  network.refusals -= 1;
  throw new HnsError('HCN_E_SWITCH_NOT_FOUND');
}

const lingeringCalls = 2;

/** Counts a call for the deleted endpoints that linger, and removes those that have lingered long enough. */
export function forgetDeleted(state: State, only?: EndpointObject): void {
  for (const endpoint of only ? [only] : [...state.endpoints.values()]) {
    if (endpoint.lingering === undefined) continue;
    endpoint.lingering -= 1;
    if (endpoint.lingering < 0) state.endpoints.delete(endpoint.id);
  }
}

/** Throws if the endpoint is in a namespace and the release refuses to delete such endpoints. */
export function requireDetached(state: State, id: string): void {
  const endpoint = state.endpoints.get(id);
  const isAttached = endpoint !== undefined && namespaceOf(state, endpoint) !== undefined;
  if (isAttached && state.release.switches.attachedEndpointDeletion === 'refused')
    throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
}

/** Detaches the endpoint from its namespace; load balancers keep their reference. */
export function deleteEndpoint(state: State, id: string): void {
  const endpoint = state.endpoints.get(id);
  const { deleteMissingEndpoint, deletedEndpoint } = state.release.switches;
  if (!endpoint) throw HnsError.of(deleteMissingEndpoint);
  if (endpoint.lingering !== undefined) {
    forgetDeleted(state, endpoint);
    return;
  }
  namespaceOf(state, endpoint)?.endpoints.delete(endpoint);
  if (deletedEndpoint === 'lingers') endpoint.lingering = lingeringCalls;
  else state.endpoints.delete(id);
  state.refusedAttachments.delete(id);
}

function endpointDocument(state: State, network: NetworkObject, given: JsonObject): Endpoint {
  const flags = Number(given['Flags'] ?? 0);
  const remote = isRemote({ Flags: flags });
  const policies = readEndpointPolicies(given['Policies'], state.release);
  if (remote) requireProviderAddress(network, policies);
  const mac = macAddress(state, network, given['MacAddress']);
  const addresses = ipConfigurations(state, network, remote, given['IpConfigurations']);
  const dns = (given['Dns'] ?? {}) as Dns;
  return {
    Name: typeof given['Name'] === 'string' && given['Name'] !== '' ? given['Name'] : 'Ethernet',
    Policies: policies,
    IpConfigurations: addresses,
    Dns: Object.keys(dns).length === 0 ? network.document.Dns : dns,
    Routes: readRoutes(state, given['Routes']) ?? (remote ? [] : routesFor(network, addresses)),
    MacAddress: mac,
    Flags: flags,
  };
}

function macAddress(state: State, network: NetworkObject, given: Json | undefined): string {
  if (typeof given !== 'string' || given === '') {
    const taken = endpointsOf(state, network).map((endpoint) => endpoint.document.MacAddress);
    return nextMacAddress(network.document.MacRanges, taken);
  }
  if (!isMacAddress(given)) throw new HnsError('E_INVALIDARG');
  return given;
}

function ipConfigurations(
  state: State,
  network: NetworkObject,
  remote: boolean,
  given: Json | undefined,
): IpConfig[] {
  const configurations = Array.isArray(given) ? (given as unknown as IpConfig[]) : undefined;
  if (configurations?.length === 0) return [];
  if (!configurations) return remote ? [] : automaticAddresses(state, network);
  const checked = configurations.map((configuration) => checkAddress(state, network, remote, configuration));
  checkDistinct(state, checked);
  return checked;
}

function readRoutes({ release }: State, given: Json | undefined): Route[] | undefined {
  const routes = Array.isArray(given) ? (given as unknown as Route[]) : [];
  for (const route of routes) {
    const isRefused = isUnspecified(route) && release.switches.unspecifiedNextHop === 'refused';
    if (isRefused || !parseAddress(route.NextHop) || !parsePrefix(route.DestinationPrefix))
      throw new HnsError('HCN_E_INVALID_ENDPOINT');
  }
  return routes.length === 0 ? undefined : routes;
}

/** A remote endpoint of an overlay network requires the address of its node (kube-proxy always sends it) [I]. */
function requireProviderAddress(network: NetworkObject, policies: readonly Policy[]): void {
  const has = policies.some((policy) => policy.Type === 'ProviderAddress');
  if (network.document.Type === 'Overlay' && !has) throw new HnsError('HCN_E_INVALID_ENDPOINT');
}

export function modifyEndpoint(state: State, endpoint: EndpointObject, settings: JsonObject): void {
  const request = validateObject(requestSchema, settings, state.release);
  if (request['ResourceType'] !== 'Policy') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  const given = validateObject(policyRequest, request['Settings'] ?? {}, state.release);
  const policies = readEndpointPolicies(given['Policies'], state.release);
  const type = String(request['RequestType']);
  const changed = changedPolicies(endpoint.document.Policies, type, policies);
  checkPortMappings(state, endpoint.network, changed, endpoint);
  endpoint.document = { ...endpoint.document, Policies: changed };
}
