import { CniError, code, invalidConfig } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import {
  type HnsVersion,
  type HostComputeLoadBalancer,
  type ObservedEndpoint,
  type ObservedLoadBalancer,
  type ObservedNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { loadBalancerId } from '../model/identity.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isOwnRemote } from '../model/ownership.ts';
import type { Step } from '../steps/step.ts';
import { type BackendEndpoint, endpointsOfBackends, recreationDocument } from './backends.ts';
import { isSameLoadBalancer, keepsPorts, loadBalancerDocument } from './load-balancer-document.ts';

export type LoadBalancerStep = Step<
  | 'create load balancer'
  | 'modify load balancer'
  | 'delete load balancer'
  | 'create remote endpoint'
  | 'delete remote endpoint'
>;

/** The objects in HCN that a load balancer's plan depends on. */
export interface LoadBalancerState {
  readonly network: ObservedNetwork;
  /** The network's endpoints and those that the load balancer refers to. */
  readonly endpoints: readonly ObservedEndpoint[];
  /** The load balancer with the derived id; undefined if absent. */
  readonly loadBalancer: ObservedLoadBalancer | undefined;
}

/**
 * Returns the steps that create or update a load balancer; empty if it is as configured. Remote endpoints that only it used are deleted.
 * `others` are the node's other load balancers, needed only if `deletionCandidates` is not empty. Throws code 7 for a configuration that
 * cannot be applied.
 */
export function planLoadBalancer(
  config: LoadBalancerConfig,
  { network, endpoints, loadBalancer }: LoadBalancerState,
  others: readonly ObservedLoadBalancer[],
): readonly LoadBalancerStep[] {
  const id = loadBalancerId(config.name);
  const backends = endpointsOfBackends(config, network, endpoints);
  const document = loadBalancerDocument(
    config,
    backends.map((backend) => backend.id),
  );
  const outdated = outdatedEndpoints(backends);
  checkNotShared(outdated, others);
  const prepare = [...outdated.map(deleteRemote), ...backends.flatMap(createRemote)];
  const create: LoadBalancerStep = { do: 'create load balancer', id, document };
  if (loadBalancer === undefined) return [...prepare, create];
  const previous = previousDocument(loadBalancer, endpoints);
  const dangling = previous.HostComputeEndpoints.length < loadBalancer.HostComputeEndpoints.length;
  const cleanup = unused(obsolete(backends, loadBalancer, endpoints), others).map(deleteRemote);
  if (outdated.length > 0 || dangling) {
    return [{ do: 'delete load balancer', id, previous }, ...prepare, create, ...cleanup];
  }
  if (isSameLoadBalancer(loadBalancer, document)) return [];
  return [...prepare, { do: 'modify load balancer', id, previous, document }, ...cleanup];
}

/** Returns win-hcn's remote endpoints that the plan deletes unless another load balancer uses them. */
export function deletionCandidates(
  config: LoadBalancerConfig,
  { network, endpoints, loadBalancer }: LoadBalancerState,
): readonly ObservedEndpoint[] {
  const backends = endpointsOfBackends(config, network, endpoints);
  return [
    ...outdatedEndpoints(backends),
    ...(loadBalancer === undefined ? [] : obsolete(backends, loadBalancer, endpoints)),
  ];
}

/** Returns the steps that delete a load balancer and the remote endpoints that only it uses. `endpoints` are those it refers to. */
export function planLoadBalancerDeletion(
  loadBalancer: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
  others: readonly ObservedLoadBalancer[],
): readonly LoadBalancerStep[] {
  const previous = previousDocument(loadBalancer, endpoints);
  return [
    { do: 'delete load balancer', id: loadBalancer.ID, previous },
    ...unused(endpoints.filter(isOwnRemote), others).map(deleteRemote),
  ];
}

/**
 * Returns the error for steps that delete a load balancer and create it with the same port, which HNS of Windows Server 2019 may refuse
 * with HCN_E_PORT_ALREADY_EXISTS, because the port stays excluded (kubernetes/kubernetes#137530); undefined for other steps.
 */
export function refuseReplacement(
  steps: readonly LoadBalancerStep[],
  version: HnsVersion,
): CniError | undefined {
  const deletion = steps.find((step) => step.do === 'delete load balancer');
  const creation = steps.find((step) => step.do === 'create load balancer');
  const port = creation?.document.PortMappings.find(({ Protocol, ExternalPort }) =>
    deletion?.previous.PortMappings.some(
      (old) => old.Protocol === Protocol && old.ExternalPort === ExternalPort,
    ),
  );
  if (deletion === undefined || port === undefined || !keepsPorts(version)) return undefined;
  const { id } = deletion;
  const { ExternalPort } = port;
  return new CniError(
    code.hcnFailure,
    `load balancer ${id} was not changed: this HNS cannot modify load balancers, and may refuse port ${ExternalPort} after a deletion (kubernetes/kubernetes#137530)`,
    {
      details: `use other ports, or run win-hcn loadbalancer delete ${id} --yes and apply the file again; if HNS then refuses port ${ExternalPort}, drain and restart the node`,
    },
  );
}

/** Returns the steps that replace a load balancer, for an HNS that cannot modify it. */
export function replacement({
  id,
  previous,
  document,
}: Step<'modify load balancer'>): readonly LoadBalancerStep[] {
  return [
    { do: 'delete load balancer', id, previous },
    { do: 'create load balancer', id, document },
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

/** win-hcn's remote endpoints that the load balancer refers to and no longer needs. */
function obsolete(
  backends: readonly BackendEndpoint[],
  { HostComputeEndpoints }: ObservedLoadBalancer,
  endpoints: readonly ObservedEndpoint[],
): readonly ObservedEndpoint[] {
  const needed = new Set<EndpointId>(backends.map(({ id }) => id));
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

function checkNotShared(
  outdated: readonly ObservedEndpoint[],
  others: readonly ObservedLoadBalancer[],
): void {
  const shared = outdated.find(({ ID }) => loadBalancersUsing(ID, others).length > 0);
  if (shared === undefined) return;
  const users = loadBalancersUsing(shared.ID, others).join(', ');
  throw invalidConfig(
    `remote endpoint "${shared.Name}" differs from the configuration, and other load balancers use it: ${users}`,
    'use the same settings for this backend in all of them',
  );
}

function outdatedEndpoints(backends: readonly BackendEndpoint[]): readonly ObservedEndpoint[] {
  return backends.flatMap((backend) => (backend.state === 'outdated' ? [backend.observed] : []));
}

function createRemote(backend: BackendEndpoint): readonly LoadBalancerStep[] {
  if (backend.state === 'present') return [];
  return [{ do: 'create remote endpoint', id: backend.id, document: backend.document }];
}

function deleteRemote(endpoint: ObservedEndpoint): LoadBalancerStep {
  return { do: 'delete remote endpoint', id: endpoint.ID, previous: recreationDocument(endpoint) };
}
