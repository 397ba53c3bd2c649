// The state of the service. Objects are compared by identity, so that a handle notices when its object was deleted.

import type { Endpoint, LoadBalancer, NamespaceType, Network } from './documents.ts';
import type { Release } from './schema/validate.ts';

export const kinds = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'] as const;

export type Kind = (typeof kinds)[number];

export interface Adapter {
  readonly name: string;
  readonly managementIp: string;
  /** Further addresses with prefix lengths. */
  readonly otherAddresses?: readonly string[];
  readonly index?: number;
  readonly mac?: string;
  readonly prefixLength?: number;
  /** Empty: no gateway. Default: the first address of the subnet for the first adapter, none for others. */
  readonly gateway?: string;
  readonly mtu?: number;
  readonly metric?: number;
  readonly isUp?: boolean;
  /** IfType. Default: 6, Ethernet. */
  readonly mediaType?: number;
}

/** The state that Windows keeps for an interface. */
export interface InterfaceState {
  readonly index: number;
  readonly removedGateways: Set<string>;
  forwarding: boolean;
}

/** A row of the node's route table. */
export interface NodeRoute {
  readonly interfaceIndex: number;
  readonly prefix: string;
  readonly nextHop: string;
  readonly metric: number;
  /** NL_ROUTE_PROTOCOL. */
  readonly protocol: number;
}

export interface NetworkObject {
  readonly kind: 'Network';
  readonly id: string;
  readonly created: number;
  readonly adapter: Adapter | undefined;
  readonly switchId: string;
  /** The VLAN that isolates a NAT network from the others on its switch. */
  readonly isolation: number;
  /** How many more enumerations omit the network. */
  unlisted: number;
  /** How many more endpoints it refuses. */
  refusals: number;
  /** How many more calls of GetAdaptersAddresses omit its interface. */
  withoutInterface: number;
  document: Network;
}

/** What a fault changes in an endpoint. */
export interface Unhealthy {
  readonly state?: number;
  readonly lastErrorCode?: number;
}

export interface EndpointObject {
  readonly kind: 'Endpoint';
  readonly id: string;
  readonly created: number;
  readonly network: NetworkObject;
  /** Attached to the host's compartment by V1's attach, as flannel and Calico do. No namespace lists it [I]. */
  isOnHost: boolean;
  /** Attached to a namespace, compartment or container, now or earlier. */
  wasAttached: boolean;
  unhealthy: Unhealthy | undefined;
  /** How many more queries omit its addresses. */
  withoutAddress: number;
  /** Set once the endpoint is deleted and lingers: how many more calls find it or fail because of it. */
  lingering: number | undefined;
  document: Endpoint;
}

export interface NamespaceObject {
  readonly kind: 'Namespace';
  readonly id: string;
  readonly created: number;
  readonly type: NamespaceType;
  readonly isDefault: boolean;
  compartment: number;
  readonly containers: Set<string>;
  readonly endpoints: Set<EndpointObject>;
}

export interface LoadBalancerObject {
  readonly kind: 'LoadBalancer';
  readonly id: string;
  readonly created: number;
  /** Cannot be deleted, because its network is gone. */
  isOrphaned?: boolean;
  document: LoadBalancer;
}

export type HnsObject = NetworkObject | EndpointObject | NamespaceObject | LoadBalancerObject;

export interface State {
  readonly release: Release;
  readonly adapters: readonly Adapter[];
  readonly providerAddressDelayMs: number;
  readonly staticAddressDelayMs: number;
  readonly networks: Map<string, NetworkObject>;
  readonly endpoints: Map<string, EndpointObject>;
  readonly namespaces: Map<string, NamespaceObject>;
  readonly loadBalancers: Map<string, LoadBalancerObject>;
  /** The host's interfaces by the adapter, switch or endpoint that they belong to. */
  readonly interfaces: Map<string, InterfaceState>;
  /** The routes that programs created; those of addresses and gateways follow from the interfaces. */
  readonly nodeRoutes: Set<NodeRoute>;
  /** How many networks adapters still refuse. */
  readonly unreleased: Map<Adapter, number>;
  /** How often the host's namespace has refused each endpoint. */
  readonly refusedAttachments: Map<string, number>;
  /** How often clients have created and deleted networks on an adapter, which interrupts the adapter. */
  readonly interruptions: { creations: number; deletions: number };
}

export function objectsOf(state: State, kind: Kind): Map<string, HnsObject> {
  switch (kind) {
    case 'Network':
      return state.networks as Map<string, HnsObject>;
    case 'Endpoint':
      return state.endpoints as Map<string, HnsObject>;
    case 'Namespace':
      return state.namespaces as Map<string, HnsObject>;
    case 'LoadBalancer':
      return state.loadBalancers as Map<string, HnsObject>;
  }
}

export function isLive(state: State, object: HnsObject): boolean {
  return objectsOf(state, object.kind).get(object.id) === object;
}

export function endpointsOf(state: State, network: NetworkObject): EndpointObject[] {
  return [...state.endpoints.values()].filter((endpoint) => endpoint.network === network);
}

export function namespaceOf(state: State, endpoint: EndpointObject): NamespaceObject | undefined {
  for (const namespace of state.namespaces.values()) if (namespace.endpoints.has(endpoint)) return namespace;
  return undefined;
}
