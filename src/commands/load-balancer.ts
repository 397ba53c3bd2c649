import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts';
import type { HcnReader } from '../hcn/client.ts';
import type { HostComputeLoadBalancer, ObservedEndpoint, ObservedLoadBalancer } from '../hcn/documents.ts';
import { HcnError, HcnInvalidResponse } from '../hcn/errors.ts';
import type { EndpointId, LoadBalancerId } from '../hcn/guid.ts';
import { isNotImplemented } from '../hcn/hresults.ts';
import { loadBalancerId } from '../model/identity.ts';
import { isOwnRemote } from '../model/ownership.ts';
import { requiredLoadBalancerFeatures } from '../plan/features.ts';
import {
  deletionCandidates,
  type LoadBalancerState,
  type LoadBalancerStep,
  planLoadBalancer,
  planLoadBalancerDeletion,
  refuseReplacement,
  replacement,
} from '../plan/load-balancer.ts';
import { isSameLoadBalancer } from '../plan/load-balancer-document.ts';
import { skipOther } from '../steps/find-endpoints.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-endpoint.ts';
import { requireFeatures } from './requirements.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes' | 'notice'>;

/**
 * Creates or updates the load balancer of this name, with remote endpoints for backends on other nodes. A failure restores the
 * previous state. https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreateloadbalancer
 */
export async function applyLoadBalancer(
  config: LoadBalancerConfig,
  context: Context,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { hcn } = context;
  await requireFeatures(requiredLoadBalancerFeatures(config), hcn);
  const observed = await observe(config, context);
  const mayDelete = deletionCandidates(config, observed).length > 0;
  const others = mayDelete ? await otherLoadBalancers(loadBalancerId(config.name), hcn) : [];
  const steps = planLoadBalancer(config, observed, others);
  await checkReplacement(steps, hcn);
  await applyAll(steps, context);
  if (observed.loadBalancer === undefined) return 'created';
  return steps.length === 0 ? 'unchanged' : 'updated';
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
  const others = endpoints.some(isOwnRemote) ? await otherLoadBalancers(id, hcn) : [];
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
  const ids = await hcn.findEndpointsOfNetwork(network.ID);
  const referred = loadBalancer?.HostComputeEndpoints ?? [];
  return {
    network,
    endpoints: await findEndpoints([...new Set([...ids, ...referred])], context),
    loadBalancer,
  };
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

async function otherLoadBalancers(
  id: LoadBalancerId,
  hcn: HcnReader,
): Promise<readonly ObservedLoadBalancer[]> {
  return (await hcn.findLoadBalancers()).filter(({ ID }) => ID !== id);
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
        case 'modify load balancer':
          await modify({ ...step, document: withActualIds(step.document) }, context);
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

/** Some HNS releases cannot modify a load balancer, some only claim to: then deletes and creates it. */
async function modify(step: Step<'modify load balancer'>, { hcn, changes }: Context): Promise<void> {
  const isModified = await changes.apply(step).then(
    () => true,
    (error: unknown) => {
      if (error instanceof HcnError && isNotImplemented(error.hresult)) return false;
      throw error;
    },
  );
  const observed = isModified ? await hcn.findLoadBalancer(step.id) : undefined;
  if (observed !== undefined && isSameLoadBalancer(observed, step.document)) return;
  const replacing = replacement(step);
  await checkReplacement(replacing, hcn);
  for (const each of replacing) await changes.apply(each);
}

/** Throws if the load balancer is to be deleted, and HNS may refuse to create it again. */
async function checkReplacement(steps: readonly LoadBalancerStep[], hcn: HcnReader): Promise<void> {
  if (!steps.some((step) => step.do === 'delete load balancer')) return;
  const refusal = refuseReplacement(steps, await hcn.version());
  if (refusal !== undefined) throw refusal;
}
