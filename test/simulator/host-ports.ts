// Ports of the host: each has one owner, a port mapping of an endpoint or a frontend of a load balancer.

import type { LoadBalancer, NetworkMode, Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import type { EndpointObject, LoadBalancerObject, NetworkObject, State } from './state.ts';

/** Network types without translation between host and endpoint [I]. */
const unsupported: ReadonlySet<NetworkMode> = new Set(['Transparent', 'Private', 'Internal']);

export function checkPortMappings(
  state: State,
  network: NetworkObject,
  policies: readonly Policy[],
  except?: EndpointObject,
): void {
  const wanted = mappingsOf(policies);
  if (wanted.length > 0 && unsupported.has(network.document.Type))
    throw new HnsError('HCN_E_MAPPING_NOT_SUPPORTED');
  const others = [...state.endpoints.values()].filter((endpoint) => endpoint !== except);
  const taken = new Set(
    others.flatMap((endpoint) => mappingsOf(endpoint.document.Policies)).map(({ key }) => key),
  );
  const frontends = new Set(
    [...state.loadBalancers.values()].flatMap(({ document }) => frontendsOf(state, document)),
  );
  for (const { key, address, protocol, port } of wanted) {
    if (taken.has(key) || frontends.has(hostPort(state, address, protocol, port)))
      throw new HnsError('HCN_E_PORT_ALREADY_EXISTS');
    taken.add(key);
  }
}

/** A port of a load balancer is in use too (kubernetes/community#8883) [O]. */
export function checkFrontends(state: State, document: LoadBalancer, except?: LoadBalancerObject): void {
  const wanted = frontendsOf(state, document);
  const balancers = [...state.loadBalancers.values()].filter((other) => other !== except);
  const taken = new Set(balancers.flatMap((other) => frontendsOf(state, other.document)));
  if (wanted.some((frontend) => taken.has(frontend))) throw new HnsError('ERROR_ALREADY_EXISTS');
  const mapped = [...state.endpoints.values()]
    .flatMap((endpoint) => mappingsOf(endpoint.document.Policies))
    .map(({ address, protocol, port }) => hostPort(state, address, protocol, port));
  if (wanted.some((frontend) => mapped.includes(frontend))) throw new HnsError('HCN_E_PORT_ALREADY_EXISTS');
}

/** Without a VIP a load balancer listens on the node's addresses. */
export function frontendsOf(state: State, document: LoadBalancer): string[] {
  const addresses = document.FrontendVIPs.length > 0 ? document.FrontendVIPs : [''];
  return addresses.flatMap((address) =>
    document.PortMappings.map(({ Protocol = 0, ExternalPort = 0 }) =>
      hostPort(state, address, Protocol, ExternalPort),
    ),
  );
}

interface Mapping {
  /** Two mappings with the same key conflict. */
  readonly key: string;
  readonly address: string;
  readonly protocol: number;
  readonly port: number;
}

function mappingsOf(policies: readonly Policy[]): Mapping[] {
  return policies.flatMap(({ Type, Settings = {} }) => {
    const { Protocol = 0, ExternalPort = 0, VIP = '', Flags = 0 } = Settings;
    if (Type !== 'PortMapping' || ExternalPort === 0) return [];
    const key = [Protocol, ExternalPort, VIP, Flags].join(' ');
    return [{ key, address: String(VIP), protocol: Number(Protocol), port: Number(ExternalPort) }];
  });
}

function hostPort(state: State, address: string, protocol: number, port: number): string {
  const ofNode = address === '' || state.adapters.some(({ managementIp }) => managementIp === address);
  return `${ofNode ? 'node' : address} ${protocol} ${port}`;
}
