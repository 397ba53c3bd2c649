import type { HostComputeEndpoint, ObservedEndpoint, ObservedLoadBalancer } from '../hcn/documents.ts';
import type { EndpointId, LoadBalancerId } from '../hcn/guid.ts';
import { findById, type Inventory, onceFor } from './inventory.ts';
import { isRemote, type Owner } from './ownership.ts';
import { isAttached, isIdle } from './readiness.ts';

/** Why an endpoint is left over. */
export type LeftoverReason = 'no namespace' | 'namespace gone' | 'no load balancer';

/** Why an endpoint is left over, in words. */
export const leftoverTexts: Readonly<Record<LeftoverReason, string>> = {
  'no namespace': 'in no namespace',
  'namespace gone': 'its namespace is gone',
  'no load balancer': 'no load balancer refers to it',
};

/** What an endpoint's own document does not show. */
export interface Surroundings {
  /** Whether the namespace that it names exists. */
  readonly namespaceExists: boolean;
  /** Whether a load balancer refers to it. */
  readonly isBackend: boolean;
}

/**
 * Returns why nothing needs an endpoint that was created for a container, or as a backend on another node; undefined if something may
 * need it. A namespace without containers needs its endpoints: a starting pod has one, and a hypervisor-isolated pod always.
 */
export function leftoverReason(
  endpoint: HostComputeEndpoint,
  { namespaceExists, isBackend }: Surroundings,
): LeftoverReason | undefined {
  if (isRemote(endpoint)) return isBackend ? undefined : 'no load balancer';
  if (!isAttached(endpoint)) return 'no namespace';
  return namespaceExists ? undefined : 'namespace gone';
}

/**
 * Returns why an endpoint of an inventory is left over; undefined for an endpoint in use or of an unknown owner. An unreadable object
 * counts as an object that needs the endpoint. Plugins that predate namespaces attach endpoints without one, so that an endpoint of another
 * plugin in no namespace is a leftover only if its state says that no container has it.
 */
export function leftoverIn(
  { namespaces, loadBalancers, unreadable = [] }: Omit<Inventory, 'networks' | 'endpoints'>,
  endpoint: ObservedEndpoint,
  owner: Owner,
): LeftoverReason | undefined {
  const namespace = endpoint.HostComputeNamespace;
  const reason = leftoverReason(endpoint, {
    namespaceExists:
      findById(namespaces, namespace) !== undefined || unreadable.some(({ id }) => id === namespace),
    isBackend:
      loadBalancersUsing(endpoint.ID, loadBalancers).length > 0 ||
      unreadable.some(({ kind }) => kind === 'LoadBalancer'),
  });
  if (owner === 'node') return undefined;
  if (isRemote(endpoint) || owner === 'win-hcn') return reason;
  if (owner !== 'another plugin') return undefined;
  return reason === 'no namespace' && !isIdle(endpoint) ? undefined : reason;
}

/** Returns the load balancers that refer to an endpoint. */
export function loadBalancersUsing(
  endpoint: EndpointId,
  loadBalancers: readonly ObservedLoadBalancer[],
): readonly LoadBalancerId[] {
  return (users(loadBalancers).get(endpoint) ?? []).map(({ ID }) => ID);
}

/** The load balancers that refer to each endpoint. */
const users = onceFor((loadBalancers: readonly ObservedLoadBalancer[]) => {
  const references = loadBalancers.flatMap(({ ID, HostComputeEndpoints }) =>
    [...new Set(HostComputeEndpoints)].map((endpoint) => ({ ID, endpoint })),
  );
  return Map.groupBy(references, ({ endpoint }) => endpoint);
});
