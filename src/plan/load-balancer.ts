import { invalidConfig } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import {
  type HostComputeLoadBalancer,
  type LoadBalancerPortMapping,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { loadBalancerId } from '../model/identity.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isOwnRemote } from '../model/ownership.ts';
import { protocolNumbers } from '../net/protocols.ts';
import type { Step } from '../steps/step.ts';
import { endpointsOfBackends, recreationDocument } from './backends.ts';

/** A step of a load balancer's plan. */
export type LoadBalancerStep = Step<
  'create load balancer' | 'delete load balancer' | 'create remote endpoint' | 'delete remote endpoint'
>;

/** The objects in HCN that a load balancer's plan depends on. */
export interface LoadBalancerState {
  readonly network: ObservedNetwork;
  /** The network's endpoints. */
  readonly endpoints: readonly ObservedEndpoint[];
  /** The load balancer with the derived id; undefined if absent. */
  readonly loadBalancer: ObservedLoadBalancer | undefined;
}

/**
 * Returns the steps that create a load balancer; none if it is as configured. Throws code 7 if it exists with other settings: some HNS
 * releases cannot modify one, and may refuse its ports after a deletion (kubernetes/kubernetes#137530).
 */
export function planLoadBalancer(
  config: LoadBalancerConfig,
  { network, endpoints, loadBalancer }: LoadBalancerState,
): readonly LoadBalancerStep[] {
  const id = loadBalancerId(config.name);
  const backends = endpointsOfBackends(config, network, endpoints);
  const ids = backends.map((backend) => backend.id);
  const document = loadBalancerDocument(config, ids);
  if (loadBalancer === undefined) {
    const missing = backends.flatMap((backend): readonly LoadBalancerStep[] =>
      backend.state === 'present'
        ? []
        : [{ do: 'create remote endpoint', id: backend.id, document: backend.document }],
    );
    return [...missing, { do: 'create load balancer', id, document }];
  }
  if (isSameLoadBalancer(loadBalancer, document)) return [];
  throw invalidConfig(
    `load balancer "${config.name}" (${id}) exists and differs from the configuration`,
    `delete it with win-hcn debug loadbalancer delete ${config.name} --yes and apply the file again; win-hcn show loadbalancer ${id} shows its settings`,
  );
}

/** Returns the steps that delete a load balancer and the remote endpoints that only it uses. `endpoints` are those it refers to. */
export function planLoadBalancerDeletion(
  loadBalancer: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
  others: readonly ObservedLoadBalancer[],
): readonly LoadBalancerStep[] {
  const previous = previousDocument(loadBalancer, endpoints);
  const unused = endpoints.filter(
    (endpoint) => isOwnRemote(endpoint) && loadBalancersUsing(endpoint.ID, others).length === 0,
  );
  return [
    { do: 'delete load balancer', id: loadBalancer.ID, previous },
    ...unused.map((endpoint): LoadBalancerStep => {
      return { do: 'delete remote endpoint', id: endpoint.ID, previous: recreationDocument(endpoint) };
    }),
  ];
}

/** The document that recreates a load balancer. HNS keeps references to deleted endpoints but refuses them in a new document. */
function previousDocument(
  { HostComputeEndpoints, SourceVIP, FrontendVIPs, PortMappings, Flags }: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
): HostComputeLoadBalancer {
  return {
    HostComputeEndpoints: HostComputeEndpoints.filter((id) => endpoints.some(({ ID }) => ID === id)),
    ...(SourceVIP !== undefined && { SourceVIP }),
    ...(FrontendVIPs !== undefined && { FrontendVIPs }),
    PortMappings,
    ...(Flags !== undefined && { Flags }),
    SchemaVersion: schemaVersion,
  };
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#LoadBalancerFlags */
export const loadBalancerFlags = { EnableDirectServerReturn: 1, IPv6: 2 } as const;

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#LoadBalancerPortMappingFlags */
export const portMappingFlags = {
  EnableInternalLoadBalancer: 1,
  LocalRoutedVip: 2,
  EnablePreserveDip: 8,
} as const;

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#LoadBalancerDistribution */
export const distributions = { None: 0, SourceIPProtocol: 1, SourceIP: 2 } as const;

/**
 * Returns the document of a load balancer for the given endpoints. Members with default values are omitted because older Windows does
 * not know all of them. HNS takes HostComputeNetwork from the endpoints.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeLoadBalancer
 */
export function loadBalancerDocument(
  config: LoadBalancerConfig,
  endpoints: readonly EndpointId[],
): HostComputeLoadBalancer {
  const flags =
    (config.directServerReturn ? loadBalancerFlags.EnableDirectServerReturn : 0) |
    (config.family === 'IPv6' ? loadBalancerFlags.IPv6 : 0);
  return {
    HostComputeEndpoints: endpoints,
    ...(config.sourceVIP !== undefined && { SourceVIP: config.sourceVIP }),
    ...(config.frontendVIPs.length > 0 && { FrontendVIPs: config.frontendVIPs }),
    PortMappings: portMappings(config),
    ...(flags !== 0 && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

function portMappings(config: LoadBalancerConfig): readonly LoadBalancerPortMapping[] {
  const distribution = distributions[config.sessionAffinity];
  const flags =
    (config.internalLoadBalancer ? portMappingFlags.EnableInternalLoadBalancer : 0) |
    (config.localRoutedVip ? portMappingFlags.LocalRoutedVip : 0) |
    (config.preserveDip ? portMappingFlags.EnablePreserveDip : 0);
  return config.ports.map(({ protocol, port, targetPort }) => ({
    Protocol: protocolNumbers[protocol],
    InternalPort: targetPort,
    ExternalPort: port,
    ...(distribution !== 0 && { DistributionType: distribution }),
    ...(flags !== 0 && { Flags: flags }),
  }));
}

/** Whether two load balancers are equivalent, regardless of list order, the case of ids, and omitted defaults. */
export function isSameLoadBalancer(one: HostComputeLoadBalancer, other: HostComputeLoadBalancer): boolean {
  return canonicalText(one) === canonicalText(other);
}

function canonicalText(document: HostComputeLoadBalancer): string {
  const mappings = document.PortMappings.map((mapping) => [
    mapping.Protocol,
    mapping.ExternalPort,
    mapping.InternalPort,
    mapping.DistributionType ?? 0,
    mapping.Flags ?? 0,
  ]);
  return JSON.stringify([
    document.HostComputeEndpoints.map((id) => id.toLowerCase()).sort(),
    document.SourceVIP ?? '',
    (document.FrontendVIPs ?? []).toSorted(),
    mappings.sort(),
    document.Flags ?? 0,
  ]);
}
