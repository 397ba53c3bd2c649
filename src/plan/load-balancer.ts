import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer.ts';
import {
  type HostComputeLoadBalancer,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { loadBalancerId } from '../model/identity.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isOwnRemote } from '../model/ownership.ts';
import { type BackendEndpoint, endpointsOfBackends } from './backends.ts';
import { isSameLoadBalancer, loadBalancerDocument } from './load-balancer-document.ts';
import { recreationDocument } from './remote-endpoint.ts';
import type { Step } from './steps.ts';

/** What a load balancer is planned from. */
export interface Observed {
  readonly network: ObservedNetwork;
  /** Those of the network, and those the load balancer refers to. */
  readonly endpoints: readonly ObservedEndpoint[];
  /** The load balancer with our id; undefined is absent. */
  readonly loadBalancer: ObservedLoadBalancer | undefined;
}

/**
 * The steps that make a load balancer what its configuration says; none when it is that already. Remote endpoints that only it used are
 * deleted. `others` are the node's other load balancers; they matter only where `deletionCandidates` names some.
 * Throws code 7 for what cannot be.
 */
export function planLoadBalancer(
  config: LoadBalancerConfig,
  { network, endpoints, loadBalancer }: Observed,
  others: readonly ObservedLoadBalancer[],
): readonly Step[] {
  const id = loadBalancerId(config.name);
  const backends = endpointsOfBackends(config, network, endpoints);
  const document = loadBalancerDocument(
    config,
    backends.map((backend) => backend.id),
  );
  const outdated = backends.flatMap((backend) => (backend.is === 'outdated' ? [backend.observed] : []));
  refuseShared(outdated, others);
  const prepare = [...outdated.map(deleteRemote), ...backends.flatMap(createRemote)];
  const create: Step = { do: 'create load balancer', id, document };
  if (loadBalancer === undefined) return [...prepare, create];
  const previous = previousDocument(loadBalancer, endpoints);
  const dangling = previous.HostComputeEndpoints.length < loadBalancer.HostComputeEndpoints.length;
  const tidy = unused(obsolete(backends, loadBalancer, endpoints), others).map(deleteRemote);
  if (outdated.length > 0 || dangling) {
    return [{ do: 'delete load balancer', id, previous }, ...prepare, create, ...tidy];
  }
  if (isSameLoadBalancer(loadBalancer, document)) return [];
  return [...prepare, { do: 'modify load balancer', id, previous, document }, ...tidy];
}

/** The remote endpoints of ours that the plan would delete unless another load balancer refers to them. */
export function deletionCandidates(
  config: LoadBalancerConfig,
  { network, endpoints, loadBalancer }: Observed,
): readonly ObservedEndpoint[] {
  const backends = endpointsOfBackends(config, network, endpoints);
  return [
    ...backends.flatMap((backend) => (backend.is === 'outdated' ? [backend.observed] : [])),
    ...(loadBalancer === undefined ? [] : obsolete(backends, loadBalancer, endpoints)),
  ];
}

/** The steps that delete a load balancer, and the remote endpoints that only it used. `endpoints` are those it refers to. */
export function planLoadBalancerDeletion(
  loadBalancer: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
  others: readonly ObservedLoadBalancer[],
): readonly Step[] {
  const previous = previousDocument(loadBalancer, endpoints);
  return [
    { do: 'delete load balancer', id: loadBalancer.ID, previous },
    ...unused(endpoints.filter(isOwnRemote), others).map(deleteRemote),
  ];
}

/** An update that replaces the load balancer by another one with its id, for an HNS that cannot modify it. */
export function replacement({
  id,
  previous,
  document,
}: Step & { do: 'modify load balancer' }): readonly Step[] {
  return [
    { do: 'delete load balancer', id, previous },
    { do: 'create load balancer', id, document },
  ];
}

/** What makes a load balancer anew. HNS keeps references to endpoints that are gone, but takes none. */
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

/** The remote endpoints of ours that a load balancer refers to and no longer needs. */
function obsolete(
  backends: readonly BackendEndpoint[],
  { HostComputeEndpoints }: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
): readonly ObservedEndpoint[] {
  const needed = new Set<Guid>(backends.map(({ id }) => id));
  return endpoints.filter(
    (endpoint) =>
      HostComputeEndpoints.includes(endpoint.ID) && !needed.has(endpoint.ID) && isOwnRemote(endpoint),
  );
}

function unused(
  endpoints: readonly ObservedEndpoint[],
  others: readonly ObservedLoadBalancer[],
): readonly ObservedEndpoint[] {
  return endpoints.filter(({ ID }) => loadBalancersUsing(ID, others).length === 0);
}

function refuseShared(outdated: readonly ObservedEndpoint[], others: readonly ObservedLoadBalancer[]): void {
  for (const { ID, Name } of outdated) {
    const users = loadBalancersUsing(ID, others);
    if (users.length === 0) continue;
    const message = `endpoint "${Name}" is not as configured, and other load balancers refer to it: ${users.join(', ')}`;
    throw new CniError(code.invalidConfig, message, { details: 'make their configurations agree' });
  }
}

function createRemote(backend: BackendEndpoint): readonly Step[] {
  if (backend.is === 'there') return [];
  return [{ do: 'create remote endpoint', id: backend.id, document: backend.document }];
}

function deleteRemote(endpoint: ObservedEndpoint): Step {
  return { do: 'delete remote endpoint', id: endpoint.ID, previous: recreationDocument(endpoint) };
}
