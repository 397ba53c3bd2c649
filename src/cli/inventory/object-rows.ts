import {
  addressesIn,
  type HostComputeNamespace,
  type LoadBalancerPortMapping,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
} from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import { findById, type Inventory, onceFor } from '../../model/inventory.ts';
import { boundAdapter, defaultGateway, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isOwnNetwork, isRemote } from '../../model/ownership.ts';
import { containersIn, isReady, stateName } from '../../model/readiness.ts';
import { protocolName } from '../../net/protocols.ts';
import { healthOf, podOf } from './endpoint-row.ts';

/** A network as `ls` shows it. An Overlay network is ready once HNS has given it a provider address. */
export type NetworkRow = ReturnType<typeof networkRow>;

/** The rows of all networks. */
export function networkRows(inventory: Inventory): readonly NetworkRow[] {
  return inventory.networks.map((network) => networkRow(network, inventory));
}

/** The row of one network. */
export function networkRow(network: ObservedNetwork, { endpoints }: Inventory) {
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

/** A namespace as `ls` shows it, with the known pods of its containers. The type of the node's own is HostDefault. */
export type NamespaceRow = ReturnType<typeof namespaceRow>;

/** The rows of all namespaces. */
export function namespaceRows(inventory: Inventory): readonly NamespaceRow[] {
  return inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
}

/** The row of one namespace. */
export function namespaceRow(namespace: HostComputeNamespace, inventory: Inventory) {
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
    endpoints: (byNamespace(endpoints).get(id) ?? []).map((endpoint) => ({
      id: endpoint.ID,
      addresses: addressesIn(endpoint),
    })),
  };
}

const byNamespace = onceFor((endpoints: readonly ObservedEndpoint[]) =>
  Map.groupBy(endpoints, ({ HostComputeNamespace = '' }) => HostComputeNamespace),
);

/** A load balancer as `ls` shows it. One on the node's own addresses has no frontends; networks that are gone have only their IDs. */
export type LoadBalancerRow = ReturnType<typeof loadBalancerRow>;

/** The rows of all load balancers. */
export function loadBalancerRows(inventory: Inventory): readonly LoadBalancerRow[] {
  return inventory.loadBalancers.map((loadBalancer) => loadBalancerRow(loadBalancer, inventory));
}

/** The row of a load balancer. */
export function loadBalancerRow(loadBalancer: ObservedLoadBalancer, inventory: Inventory) {
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
