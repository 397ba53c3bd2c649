import {
  addressesIn,
  type HostComputeNamespace,
  type LoadBalancerPortMapping,
  type ObservedLoadBalancer,
  type ObservedNetwork,
} from '../../hcn/documents.ts';
import type { EndpointId, LoadBalancerId, NamespaceId, NetworkId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter, defaultGateway, providerAddressOf, subnetsOf } from '../../model/network-document.ts';
import { isOwnLoadBalancer, isOwnNetwork, isRemote } from '../../model/ownership.ts';
import { containersIn, isReady } from '../../model/readiness.ts';
import { protocolName } from '../../net/protocols.ts';
import { distributions, loadBalancerFlags, portMappingFlags } from '../../plan/load-balancer-document.ts';

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

export function networkRows(inventory: Inventory): readonly NetworkRow[] {
  return inventory.networks.map((network) => networkRow(network, inventory));
}

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

export interface NamespaceRow {
  readonly id: NamespaceId;
  /** HCN's type: `HostDefault` is the node's own. */
  readonly type: string;
  readonly compartment: number;
  readonly containers: readonly string[];
  readonly endpoints: readonly { readonly id: EndpointId; readonly addresses: readonly string[] }[];
}

export function namespaceRows(inventory: Inventory): readonly NamespaceRow[] {
  return inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
}

export function namespaceRow(namespace: HostComputeNamespace, { endpoints }: Inventory): NamespaceRow {
  const { ID: id = '', Type: type = 'Host', NamespaceId: compartment = 0 } = namespace;
  return {
    id,
    type,
    compartment,
    containers: containersIn(namespace),
    endpoints: endpoints
      .filter(({ HostComputeNamespace }) => HostComputeNamespace === id)
      .map((endpoint) => ({ id: endpoint.ID, addresses: addressesIn(endpoint) })),
  };
}

export interface LoadBalancerRow {
  readonly id: LoadBalancerId;
  /** Empty for a load balancer on the node's own addresses. */
  readonly frontends: readonly string[];
  /** Such as `80->8080/tcp`. */
  readonly ports: readonly string[];
  /** A backend without addresses does not exist any more. */
  readonly backends: readonly { readonly id: EndpointId; readonly addresses: readonly string[] }[];
  readonly sourceVIP?: string;
  /** HCN's names for flags and distributions. */
  readonly options: readonly string[];
  readonly owner: 'win-hcn' | 'unknown';
}

export function loadBalancerRows(inventory: Inventory): readonly LoadBalancerRow[] {
  return inventory.loadBalancers.map((loadBalancer) => loadBalancerRow(loadBalancer, inventory));
}

function loadBalancerRow(loadBalancer: ObservedLoadBalancer, { endpoints }: Inventory): LoadBalancerRow {
  const { ID: id, FrontendVIPs = [], HostComputeEndpoints, PortMappings, SourceVIP } = loadBalancer;
  return {
    id,
    frontends: FrontendVIPs,
    ports: PortMappings.map(describePort),
    backends: HostComputeEndpoints.map((backend) => ({
      id: backend,
      addresses: addressesIn(endpoints.find(({ ID }) => ID === backend) ?? {}),
    })),
    ...(SourceVIP !== undefined && { sourceVIP: SourceVIP }),
    options: optionsOf(loadBalancer),
    owner: isOwnLoadBalancer(id) ? 'win-hcn' : 'unknown',
  };
}

/** Returns a port mapping as `80->8080/tcp`. */
export function describePort({ Protocol, ExternalPort, InternalPort }: LoadBalancerPortMapping): string {
  return `${ExternalPort}->${InternalPort}/${protocolName(Protocol)}`;
}

function optionsOf({ Flags = 0, PortMappings }: ObservedLoadBalancer): readonly string[] {
  const ofPorts = PortMappings.flatMap((mapping) => [
    ...namesIn(portMappingFlags, mapping.Flags ?? 0),
    ...Object.entries(distributions).flatMap(([name, number]) =>
      number !== 0 && number === mapping.DistributionType ? [name] : [],
    ),
  ]);
  return [...namesIn(loadBalancerFlags, Flags), ...new Set(ofPorts)];
}

function namesIn(names: Readonly<Record<string, number>>, flags: number): readonly string[] {
  return Object.entries(names).flatMap(([name, flag]) => ((flags & flag) === 0 ? [] : [name]));
}
