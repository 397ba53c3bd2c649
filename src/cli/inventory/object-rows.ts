import {
  addressesIn,
  type HostComputeNamespace,
  type LoadBalancerPortMapping,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
} from '../../hcn/documents.ts';
import type { EndpointId, LoadBalancerId, NamespaceId, NetworkId } from '../../hcn/guid.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { boundAdapter, defaultGateway, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isOwnLoadBalancer, isOwnNetwork, isRemote } from '../../model/ownership.ts';
import { containersIn, isReady, stateName } from '../../model/readiness.ts';
import { protocolName } from '../../net/protocols.ts';
import { healthOf, podOf } from './endpoint-row.ts';

/** A network as `ls` shows it. */
export interface NetworkRow {
  readonly id: NetworkId;
  readonly name: string;
  readonly type: string;
  readonly subnets: readonly { readonly subnet: string; readonly gateway?: string }[];
  /** The interface name of the bound adapter. */
  readonly adapter?: string;
  /** The node's provider address, for an Overlay network. */
  readonly providerAddress?: string;
  readonly endpoints: number;
  readonly remoteEndpoints: number;
  /** An Overlay network is ready once HNS has given it a provider address. */
  readonly ready: boolean;
  readonly owner: 'win-hcn' | 'unknown';
}

/** The rows of all networks. */
export function networkRows(inventory: Inventory): readonly NetworkRow[] {
  return inventory.networks.map((network) => networkRow(network, inventory));
}

/** The row of one network. */
export function networkRow(network: ObservedNetwork, { endpoints }: Inventory): NetworkRow {
  const { ID: id, Name: name, Type: type } = network;
  const adapter = boundAdapter(network);
  const providerAddress = providerAddressOf(network);
  const own = endpoints.filter(({ HostComputeNetwork }) => HostComputeNetwork === id);
  const remoteEndpoints = own.filter(isRemote).length;
  return {
    id,
    name,
    type,
    subnets: subnetsOf(network).map(({ IpAddressPrefix, Routes = [] }) => {
      const gateway = defaultGateway(Routes);
      return { subnet: IpAddressPrefix, ...(gateway !== undefined && { gateway }) };
    }),
    ...(adapter !== undefined && { adapter }),
    ...(providerAddress !== undefined && { providerAddress }),
    endpoints: own.length - remoteEndpoints,
    remoteEndpoints,
    ready: isReady(network),
    owner: isOwnNetwork(network) ? 'win-hcn' : 'unknown',
  };
}

/** A namespace as `ls` shows it. */
export interface NamespaceRow {
  readonly id: NamespaceId;
  /** HCN's type: `HostDefault` is the node's own. */
  readonly type: string;
  readonly compartment: number;
  readonly containers: readonly string[];
  /** The known pods of the containers; absent if none is known. */
  readonly pods?: readonly { readonly container: string; readonly pod: string }[];
  readonly endpoints: readonly { readonly id: EndpointId; readonly addresses: readonly string[] }[];
}

/** The rows of all namespaces. */
export function namespaceRows(inventory: Inventory): readonly NamespaceRow[] {
  return inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
}

/** The row of one namespace. */
export function namespaceRow(namespace: HostComputeNamespace, inventory: Inventory): NamespaceRow {
  const { endpoints } = inventory;
  const { ID: id = '', Type: type = 'Host', NamespaceId: compartment = 0 } = namespace;
  const containers = containersIn(namespace);
  const pods = containers.flatMap((container) => {
    const pod = podOf(container, inventory);
    return pod === undefined ? [] : [{ container, pod }];
  });
  return {
    id,
    type,
    compartment,
    containers,
    ...(pods.length > 0 && { pods }),
    endpoints: endpoints
      .filter(({ HostComputeNamespace }) => HostComputeNamespace === id)
      .map((endpoint) => ({ id: endpoint.ID, addresses: addressesIn(endpoint) })),
  };
}

/** A load balancer as `ls` shows it. */
export interface LoadBalancerRow {
  readonly id: LoadBalancerId;
  /** The names of its backends' networks, or the ids of networks that are gone. */
  readonly networks: readonly string[];
  /** Empty for a load balancer on the node's own addresses. */
  readonly frontends: readonly string[];
  /** Such as `80->8080/tcp`. */
  readonly ports: readonly string[];
  readonly backends: readonly BackendRow[];
  readonly sourceVIP?: string;
  readonly owner: 'win-hcn' | 'unknown';
}

/** A backend of a load balancer. */
export interface BackendRow {
  readonly id: EndpointId;
  /** Empty for an endpoint that is gone. */
  readonly addresses: readonly string[];
  /** `remote` for an endpoint that stands for another node's, `gone`, the symbol of HNS's last error, or HCN's state. */
  readonly state: string;
}

/** The rows of all load balancers. */
export function loadBalancerRows(inventory: Inventory): readonly LoadBalancerRow[] {
  return inventory.loadBalancers.map((loadBalancer) => loadBalancerRow(loadBalancer, inventory));
}

function loadBalancerRow(loadBalancer: ObservedLoadBalancer, inventory: Inventory): LoadBalancerRow {
  const { endpoints, networks, unreadable = [] } = inventory;
  const { ID: id, FrontendVIPs = [], HostComputeEndpoints, PortMappings, SourceVIP } = loadBalancer;
  const found = HostComputeEndpoints.map((backend) => ({
    backend,
    endpoint: findById(endpoints, backend),
  }));
  const networkIds = found.flatMap(({ endpoint }) => endpoint?.HostComputeNetwork ?? []);
  const absence = (backend: EndpointId) =>
    unreadable.some((object) => object.id === backend) ? 'unreadable' : 'gone';
  return {
    id,
    networks: [...new Set(networkIds)].map((one) => findById(networks, one)?.Name ?? one),
    frontends: FrontendVIPs,
    ports: PortMappings.map(describePort),
    backends: found.map(({ backend, endpoint }) => ({
      id: backend,
      addresses: addressesIn(endpoint ?? {}),
      state: endpoint === undefined ? absence(backend) : backendState(endpoint),
    })),
    ...(SourceVIP !== undefined && { sourceVIP: SourceVIP }),
    owner: isOwnLoadBalancer(id) ? 'win-hcn' : 'unknown',
  };
}

function backendState(endpoint: ObservedEndpoint): string {
  const health = healthOf(endpoint);
  if (health !== 'ok') return health;
  return isRemote(endpoint) ? 'remote' : stateName(endpoint);
}

/** Returns a port mapping as `80->8080/tcp`. */
export function describePort({ Protocol, ExternalPort, InternalPort }: LoadBalancerPortMapping): string {
  return `${ExternalPort}->${InternalPort}/${protocolName(Protocol)}`;
}
