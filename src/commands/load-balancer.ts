import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import type { HostComputeLoadBalancer, ObservedEndpoint } from '../hcn/documents.ts';
import { HcnInvalidResponse } from '../hcn/errors.ts';
import type { EndpointId, LoadBalancerId } from '../hcn/guid.ts';
import { loadBalancerId } from '../model/identity.ts';
import { isOwnRemote } from '../model/ownership.ts';
import { requiredLoadBalancerFeatures } from '../plan/features.ts';
import {
  type LoadBalancerState,
  type LoadBalancerStep,
  planLoadBalancer,
  planLoadBalancerDeletion,
} from '../plan/load-balancer.ts';
import { skipOther } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-endpoint.ts';
import { requireFeatures } from './requirements.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes' | 'notice'>;

/**
 * Creates the load balancer of this name, with remote endpoints for backends on other nodes. A failure removes them again. Throws code 7 if
 * it exists with other settings. https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreateloadbalancer
 */
export async function applyLoadBalancer(
  config: LoadBalancerConfig,
  context: Context,
): Promise<'created' | 'unchanged'> {
  await requireFeatures(requiredLoadBalancerFeatures(config), context.hcn);
  const steps = planLoadBalancer(config, await observe(config, context));
  await applyAll(steps, context);
  return steps.length === 0 ? 'unchanged' : 'created';
}

/**
 * Deletes a load balancer, and the remote endpoints that only it uses. Returns whether it existed. A failure restores the previous
 * state. https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeleteloadbalancer
 */
export async function deleteLoadBalancer(id: LoadBalancerId, context: Context): Promise<boolean> {
  const { hcn } = context;
  const loadBalancer = await hcn.findLoadBalancer(id);
  if (loadBalancer === undefined) return false;
  const endpoints = await findEndpoints(loadBalancer.HostComputeEndpoints, context);
  const all = endpoints.some(isOwnRemote) ? await hcn.findLoadBalancers() : [];
  const others = all.filter(({ ID }) => ID !== id);
  await applyAll(planLoadBalancerDeletion(loadBalancer, endpoints, others), context);
  return true;
}

async function observe(config: LoadBalancerConfig, context: Context): Promise<LoadBalancerState> {
  const { hcn } = context;
  const network = await hcn.findNetwork(config.network);
  if (network === undefined) {
    const message = `/network is "${config.network}", and HCN has no network of this name`;
    throw new CniError(code.invalidConfig, message, {
      details: 'correct the name, or create the network with win-hcn network ensure FILE',
    });
  }
  const loadBalancer = await hcn.findLoadBalancer(loadBalancerId(config.name));
  const endpoints = await findEndpoints(await hcn.findEndpointsOfNetwork(network.ID), context);
  return { network, endpoints, loadBalancer };
}

async function findEndpoints(
  ids: readonly EndpointId[],
  { hcn, notice }: Context,
): Promise<readonly ObservedEndpoint[]> {
  const found: ObservedEndpoint[] = [];
  for (const id of ids) {
    // A backend that HNS refuses to return is a failure.
    const isUnreadable = (error: unknown) => error instanceof HcnInvalidResponse;
    const endpoint = await hcn.findEndpoint(id).catch(skipOther(id, isUnreadable, notice));
    if (endpoint !== undefined) found.push(endpoint);
  }
  return found;
}

/** Applies the steps of one load balancer, which refers to its remote endpoints by the ids that HNS gave them. */
function applyAll(steps: readonly LoadBalancerStep[], context: Context): Promise<void> {
  const { changes } = context;
  const actualIds = new Map<EndpointId, EndpointId>();
  const withActualIds = (document: HostComputeLoadBalancer): HostComputeLoadBalancer => ({
    ...document,
    HostComputeEndpoints: document.HostComputeEndpoints.map((id) => actualIds.get(id) ?? id),
  });
  return changes.transaction(async () => {
    for (const step of steps) {
      switch (step.do) {
        case 'create remote endpoint':
          actualIds.set(step.id, (await createSharedEndpoint(step, false, context)).ID);
          break;
        case 'create load balancer':
          await changes.apply({ ...step, document: withActualIds(step.document) });
          break;
        default:
          await changes.apply(step);
      }
    }
  });
}
