import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import {
  type HostComputeLoadBalancer,
  type LoadBalancerPortMapping,
  schemaVersion,
} from '../hcn/documents.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { protocolNumbers } from '../net/protocols.ts';

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
