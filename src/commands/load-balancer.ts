import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { HostComputeLoadBalancer, ObservedEndpoint, ObservedLoadBalancer } from '../hcn/documents.ts';
import { HcnError } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isNotImplemented } from '../hcn/hresults.ts';
import { loadBalancerId } from '../model/identity.ts';
import { isOwnRemote } from '../model/ownership.ts';
import { requiredLoadBalancerFeatures } from '../plan/features.ts';
import {
  deletionCandidates,
  type LoadBalancerState,
  planLoadBalancer,
  planLoadBalancerDeletion,
  replacement,
} from '../plan/load-balancer.ts';
import { isSameLoadBalancer } from '../plan/load-balancer-document.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import { applyAll } from './apply-all.ts';
import type { CommandContext } from './command-context.ts';
import { createSharedEndpoint } from './create-shared-endpoint.ts';
import { requireFeatures } from './require-features.ts';
import type { Undo } from './undo.ts';

/**
 * Makes the node's load balancer of this name what its configuration says, with remote endpoints for backends elsewhere. A failure
 * leaves what there was before. https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreateloadbalancer
 */
export async function applyLoadBalancer(
  config: LoadBalancerConfig,
  { hcn }: Pick<CommandContext, 'hcn'>,
): Promise<'created' | 'updated' | 'unchanged'> {
  await requireFeatures(requiredLoadBalancerFeatures(config), hcn);
  const observed = await look(config, hcn);
  const atStake = deletionCandidates(config, observed).length > 0;
  const others = atStake ? await otherLoadBalancers(loadBalancerId(config.name), hcn) : [];
  const steps = planLoadBalancer(config, observed, others);
  await applyAll(steps, hcn, carryingOut());
  if (observed.loadBalancer === undefined) return 'created';
  return steps.length === 0 ? 'unchanged' : 'updated';
}

/**
 * Deletes a load balancer, and the remote endpoints that only it used. Answers whether there was one. A failure leaves what there
 * was before. https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeleteloadbalancer
 */
export async function deleteLoadBalancer(id: Guid, { hcn }: Pick<CommandContext, 'hcn'>): Promise<boolean> {
  const steps = await planDeletion(id, { hcn });
  await applyAll(steps, hcn, carryingOut());
  return steps.length > 0;
}

/** The steps that `deleteLoadBalancer` would take now; none where there is no such load balancer. Only looks. */
export async function planDeletion(id: Guid, { hcn }: Pick<CommandContext, 'hcn'>): Promise<readonly Step[]> {
  const loadBalancer = await hcn.findLoadBalancer(id);
  if (loadBalancer === undefined) return [];
  const endpoints = await findEndpoints(loadBalancer.HostComputeEndpoints, hcn);
  const others = endpoints.some(isOwnRemote) ? await otherLoadBalancers(id, hcn) : [];
  return planLoadBalancerDeletion(loadBalancer, endpoints, others);
}

async function look(config: LoadBalancerConfig, hcn: HcnClient): Promise<LoadBalancerState> {
  const network = await hcn.findNetwork(config.network);
  if (network === undefined) {
    const message = `/network is "${config.network}", and HCN has no network of this name`;
    throw new CniError(code.invalidConfig, message, {
      details: 'win-hcn network ensure makes the one of a conflist; or correct the name',
    });
  }
  const loadBalancer = await hcn.findLoadBalancer(loadBalancerId(config.name));
  const ids = await hcn.findEndpointsOfNetwork(network.ID);
  const referred = loadBalancer?.HostComputeEndpoints ?? [];
  return { network, endpoints: await findEndpoints([...new Set([...ids, ...referred])], hcn), loadBalancer };
}

async function findEndpoints(ids: readonly Guid[], hcn: HcnClient): Promise<readonly ObservedEndpoint[]> {
  const found: ObservedEndpoint[] = [];
  for (const id of ids) {
    const endpoint = await hcn.findEndpoint(id);
    if (endpoint !== undefined) found.push(endpoint);
  }
  return found;
}

async function otherLoadBalancers(id: Guid, hcn: HcnClient): Promise<readonly ObservedLoadBalancer[]> {
  return (await hcn.findLoadBalancers()).filter(({ ID }) => ID !== id);
}

/** Carries out the steps of one load balancer, which refers to its remote endpoints by the ids that HNS gave them. */
function carryingOut(): (step: Step, hcn: HcnClient, undo: Undo) => Promise<void> {
  const actualIds = new Map<Guid, Guid>();
  const actual = (document: HostComputeLoadBalancer): HostComputeLoadBalancer => ({
    ...document,
    HostComputeEndpoints: document.HostComputeEndpoints.map((id) => actualIds.get(id) ?? id),
  });
  return async (step, hcn, undo) => {
    switch (step.do) {
      case 'create remote endpoint':
        actualIds.set(step.id, await createSharedEndpoint(step, hcn, undo));
        return;
      case 'modify load balancer':
        return modify({ ...step, document: actual(step.document) }, hcn, undo);
      case 'create load balancer':
        await apply({ ...step, document: actual(step.document) }, hcn, undo);
        return;
      default:
        await apply(step, hcn, undo);
    }
  };
}

/** Some HNS cannot modify a load balancer, some only say that they did: what has no effect is replaced. */
async function modify(
  step: Step & { readonly do: 'modify load balancer' },
  hcn: HcnClient,
  undo: Undo,
): Promise<void> {
  const done = await apply(step, hcn, undo).catch((error: unknown) => {
    if (error instanceof HcnError && isNotImplemented(error.hresult)) return undefined;
    throw error;
  });
  const observed = done && (await hcn.findLoadBalancer(step.id));
  if (observed !== undefined && isSameLoadBalancer(observed, step.document)) return;
  for (const replacing of replacement(step)) await apply(replacing, hcn, undo);
}
