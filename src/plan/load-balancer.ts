import { invalidConfig } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import {
  type HostComputeLoadBalancer,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import { loadBalancerId } from '../model/identity.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isOwnRemote } from '../model/ownership.ts';
import type { Step } from '../steps/step.ts';
import { endpointsOfBackends, recreationDocument } from './backends.ts';
import { isSameLoadBalancer, loadBalancerDocument } from './load-balancer-document.ts';

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
