import type { LoadBalancerPortMapping, ObservedLoadBalancer } from '../../hcn/documents.ts';
import type { EndpointId, LoadBalancerId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isOwnLoadBalancer } from '../../model/ownership.ts';
import { protocolName } from '../../net/protocols.ts';
import { distributions, loadBalancerFlags, portMappingFlags } from '../../plan/load-balancer-document.ts';

/** A load balancer with the addresses of its backends. */
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
      addresses:
        endpoints.find(({ ID }) => ID === backend)?.IpConfigurations?.map(({ IpAddress }) => IpAddress) ?? [],
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
