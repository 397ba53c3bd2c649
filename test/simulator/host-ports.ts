// Ports of the host: port mappings of endpoints and frontends of load balancers have one owner each.

import type { LoadBalancer, NetworkMode, Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import type { EndpointObject, LoadBalancerObject, NetworkObject, State } from './state.ts';

/** [I]: the types without translation between host and endpoint. */
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
  const owned = portsInUse(state);
  for (const { key, address, protocol, port } of wanted) {
    if (owned.has(hostPort(state, address, protocol, port))) throw new HnsError('ERROR_SHARING_VIOLATION');
    if (taken.has(key) || frontends.has(hostPort(state, address, protocol, port)))
      throw new HnsError('HCN_E_PORT_ALREADY_EXISTS');
    taken.add(key);
  }
}

/** The node's addresses and ports that its processes use (docker/for-win#2213) [O]. */
function portsInUse(state: State): ReadonlySet<string> {
  return new Set(state.portsInUse.map(({ protocol, port }) => hostPort(state, '', protocol, port)));
}

/** A port that is listened on is taken too (kubernetes/community#8883) [O]. */
export function checkFrontends(state: State, document: LoadBalancer, except?: LoadBalancerObject): void {
  const wanted = frontendsOf(state, document);
  const owned = portsInUse(state);
  if (wanted.some((frontend) => owned.has(frontend))) throw new HnsError('ERROR_SHARING_VIOLATION');
  const balancers = [...state.loadBalancers.values()].filter((other) => other !== except);
  const taken = new Set(balancers.flatMap((other) => frontendsOf(state, other.document)));
  if (wanted.some((frontend) => taken.has(frontend)))
    throw HnsError.of(state.release.switches.loadBalancerConflict);
  const mapped = [...state.endpoints.values()]
    .flatMap((endpoint) => mappingsOf(endpoint.document.Policies))
    .map(({ address, protocol, port }) => hostPort(state, address, protocol, port));
  if (wanted.some((frontend) => mapped.includes(frontend))) throw new HnsError('HCN_E_PORT_ALREADY_EXISTS');
}

/** Without a VIP the load balancer listens on the node's own addresses. */
function frontendsOf(state: State, document: LoadBalancer): string[] {
  const addresses = document.FrontendVIPs.length > 0 ? document.FrontendVIPs : [''];
  return addresses.flatMap((address) =>
    document.PortMappings.map(({ Protocol = 0, ExternalPort = 0 }) =>
      hostPort(state, address, Protocol, ExternalPort),
    ),
  );
}

interface Mapping {
  /** What no other mapping may be. */
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
