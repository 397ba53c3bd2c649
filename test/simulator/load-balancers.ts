// Creates, modifies and deletes HostComputeLoadBalancers.

import { v4 as uuidv4 } from 'uuid';
import { parseAddress } from './addresses.ts';
import type { LoadBalancer, PortMapping } from './documents.ts';
import { checkFrontends } from './host-ports.ts';
import { HnsError } from './hresults.ts';
import { idIn } from './object-id.ts';
import { isAtLeast } from './profiles.ts';
import { loadBalancer as loadBalancerSchema } from './schema/documents.ts';
import { type JsonObject, validateObject } from './schema/validate.ts';
import { endpointsOf, type LoadBalancerObject, type NetworkObject, type State } from './state.ts';

export function createLoadBalancer(
  state: State,
  requestedId: string | undefined,
  settings: JsonObject,
): LoadBalancerObject {
  const given = validateObject(loadBalancerSchema, settings, state.release);
  const id = requestedId ?? idIn(given) ?? uuidv4();
  if (state.loadBalancers.has(id)) throw new HnsError('ERROR_ALREADY_EXISTS');
  const document = readLoadBalancer(state, given);
  const loadBalancer: LoadBalancerObject = { kind: 'LoadBalancer', id, created: Date.now(), document };
  state.loadBalancers.set(id, loadBalancer);
  return loadBalancer;
}

export function modifyLoadBalancer(
  state: State,
  loadBalancer: LoadBalancerObject,
  settings: JsonObject,
): void {
  switch (state.release.switches.modifyLoadBalancer) {
    case 'unsupported':
      throw new HnsError('E_NOTIMPL');
    case 'ignored':
      validateObject(loadBalancerSchema, settings, state.release);
      return;
    case 'applied': {
      const given = validateObject(loadBalancerSchema, settings, state.release);
      loadBalancer.document = readLoadBalancer(state, given, loadBalancer);
    }
  }
}

export function deleteLoadBalancer(state: State, id: string): void {
  if (state.loadBalancers.get(id)?.isOrphaned) throw new HnsError('HCN_E_NETWORK_NOT_FOUND');
  if (!state.loadBalancers.delete(id)) throw new HnsError('ERROR_NOT_FOUND');
}

/** Deletes the load balancers of a network, which frees their frontends [I], or keeps them (aks-engine#3956) [O]. */
export function deleteLoadBalancersOf(state: State, network: NetworkObject): void {
  const { loadBalancersOfNetwork } = state.release.switches;
  if (loadBalancersOfNetwork === 'kept') return;
  const members = new Set(endpointsOf(state, network).map(({ id }) => id));
  for (const loadBalancer of [...state.loadBalancers.values()]) {
    const { id, document } = loadBalancer;
    if (!document.HostComputeEndpoints.some((member) => members.has(member))) continue;
    if (loadBalancersOfNetwork === 'deleted') state.loadBalancers.delete(id);
    else loadBalancer.isOrphaned = true;
  }
}

/** Reads references to endpoints, in upper or lower case. Throws if an endpoint is missing. */
function readReferences(state: State, given: unknown): string[] {
  const ids = Array.isArray(given) ? given.map((id) => String(id).toLowerCase()) : [];
  if (ids.some((id) => !state.endpoints.has(id))) throw new HnsError('HCN_E_PORT_NOT_FOUND');
  return ids;
}

function readLoadBalancer(state: State, given: JsonObject, except?: LoadBalancerObject): LoadBalancer {
  const { SourceVIP, Flags } = given as unknown as LoadBalancer;
  const document: LoadBalancer = {
    HostComputeEndpoints: readReferences(state, given['HostComputeEndpoints']),
    ...(SourceVIP && { SourceVIP }),
    FrontendVIPs: (given['FrontendVIPs'] ?? []) as string[],
    PortMappings: (given['PortMappings'] ?? []) as unknown as PortMapping[],
    ...(Flags && { Flags }),
  };
  if (document.HostComputeEndpoints.length === 0) throw new HnsError('HCN_E_INVALID_POLICY');
  checkFamily(state, document);
  checkPorts(document);
  checkFrontends(state, document, except);
  return document;
}

const ipv6 = 2;
const everyLoadBalancerFlag = 3;
const everyPortMappingFlag = 31;
const protocols: readonly number[] = [6, 17];

/** All addresses have the family of the flag IPv6 [I]. Endpoints must have an address of that family. */
function checkFamily(
  state: State,
  { FrontendVIPs, SourceVIP, HostComputeEndpoints, Flags = 0 }: LoadBalancer,
) {
  const isIPv6 = (Flags & ipv6) !== 0;
  const family = isIPv6 ? 6 : 4;
  const addresses = [...FrontendVIPs, ...(SourceVIP ? [SourceVIP] : [])];
  const endpoints = HostComputeEndpoints.map(
    (id) => state.endpoints.get(id)?.document.IpConfigurations ?? [],
  );
  const reachable = endpoints.every(
    (addresses) =>
      addresses.length === 0 || addresses.some(({ IpAddress }) => parseAddress(IpAddress)?.family === family),
  );
  const known = !isIPv6 || isAtLeast(state.release.version, 11, 10);
  const valid = addresses.every((address) => parseAddress(address)?.family === family);
  if (!valid || !reachable || !known || Flags > everyLoadBalancerFlag)
    throw new HnsError('HCN_E_INVALID_POLICY');
}

/** Protocols are TCP and UDP, ports are not zero, flags are those of the schema, and frontends are unique [I]. */
function checkPorts({ PortMappings }: LoadBalancer): void {
  const seen = new Set<string>();
  for (const { Protocol = 0, InternalPort = 0, ExternalPort = 0, Flags = 0 } of PortMappings) {
    const frontend = `${Protocol} ${ExternalPort}`;
    if (InternalPort === 0) throw new HnsError('HCN_E_INVALID_INTERNAL_PORT');
    if (
      ExternalPort === 0 ||
      !protocols.includes(Protocol) ||
      Flags > everyPortMappingFlag ||
      seen.has(frontend)
    )
      throw new HnsError('HCN_E_INVALID_POLICY');
    seen.add(frontend);
  }
}
