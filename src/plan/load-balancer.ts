import {
  type HostComputeLoadBalancer,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  schemaVersion,
} from '../hcn/documents.ts';
import type { Step } from '../steps/step.ts';

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#LoadBalancerFlags */
export const loadBalancerFlags = { EnableDirectServerReturn: 1, IPv6: 2 } as const;

/** Returns the step that deletes a load balancer; `endpoints` are those that HCN has, as far as it refers to them. */
export function loadBalancerDeletion(
  loadBalancer: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
): Step<'delete load balancer'> {
  return {
    do: 'delete load balancer',
    id: loadBalancer.ID,
    previous: previousDocument(loadBalancer, endpoints),
  };
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
