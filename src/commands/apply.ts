import type { HcnClient } from '../hcn/client.ts';
import { isOutcomeUnknown } from '../hcn/errors.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isAttached } from '../model/readiness.ts';
import { isSameLoadBalancer } from '../plan/load-balancer-document.ts';
import { inverse, type Step } from '../plan/steps.ts';
import { deleteUnusedNetwork } from './delete-network.ts';
import { findByKey } from './own-endpoints.ts';
import { removeEndpoint } from './remove-endpoint.ts';
import type { Taken, Undo } from './undo.ts';

/**
 * Carries out one step and puts its inverse on the undo stack, even when only its outcome is unknown. Answers a function that
 * takes the inverse back.
 */
export async function apply(step: Step, hcn: HcnClient, undo: Undo): Promise<() => void> {
  const pushInverse = (outcome: 'done' | 'unknown'): (() => void) => {
    const undoStep = inverse(step, outcome);
    if (undoStep === undefined) return () => undefined;
    return undo.push(takenBy(undoStep), () => carryOut(undoStep, hcn));
  };
  try {
    await carryOut(step, hcn);
  } catch (error) {
    if (isOutcomeUnknown(error)) pushInverse('unknown');
    throw error;
  }
  return pushInverse('done');
}

function takenBy(undoStep: Step): Taken {
  const kinds = ['network', 'load balancer', 'namespace'] as const;
  return kinds.find((kind) => undoStep.do.endsWith(kind)) ?? 'endpoint';
}

async function carryOut(step: Step, hcn: HcnClient): Promise<void> {
  switch (step.do) {
    case 'create network':
      return hcn.createNetwork(step.id, step.document);
    case 'create endpoint':
    case 'create host endpoint':
      return hcn.createEndpoint(step.network, step.id, step.document);
    case 'create remote endpoint':
      return hcn.createEndpoint(step.document.HostComputeNetwork, step.id, step.document);
    case 'create load balancer':
      return hcn.createLoadBalancer(step.id, step.document);
    case 'modify load balancer':
      return hcn.modifyLoadBalancer(step.id, step.document);
    case 'create namespace':
      return hcn.createNamespace(step.id, step.document);
    case 'add endpoint policies':
      return hcn.addPolicies(step.id, step.policies);
    case 'add network policies':
      return hcn.addNetworkPolicies(step.id, step.policies);
    case 'attach endpoint':
    case 'attach host endpoint':
    case 'attach existing endpoint':
      return hcn.addEndpoint(step.namespace, step.endpoint);
    case 'delete endpoint':
      await removeEndpoint(step.id, step.namespace, hcn);
      return;
    case 'delete remote endpoint':
      if (loadBalancersUsing(step.id, await hcn.findLoadBalancers()).length === 0)
        await hcn.deleteEndpoint(step.id);
      return;
    case 'delete load balancer':
      await hcn.deleteLoadBalancer(step.id);
      return;
    case 'delete unfinished endpoint': {
      const endpoint = await findByKey(step, hcn);
      if (endpoint !== undefined && !isAttached(endpoint)) await hcn.deleteEndpoint(endpoint.ID);
      if (endpoint === undefined && step.mayAppear) throw mayAppear(`endpoint ${step.id}`);
      return;
    }
    case 'delete unused remote endpoint': {
      const { ID: id } = (await hcn.findEndpoint(step.id)) ?? { ID: step.id };
      const users = loadBalancersUsing(id, await hcn.findLoadBalancers());
      if (users.length > 0) return;
      const deleted = await hcn.deleteEndpoint(id);
      if (!deleted && step.mayAppear) throw mayAppear(`endpoint ${step.id}`);
      return;
    }
    case 'delete unfinished load balancer': {
      const deleted = await hcn.deleteLoadBalancer(step.id);
      if (!deleted && step.mayAppear) throw mayAppear(`load balancer ${step.id}`);
      return;
    }
    case 'delete unused network':
      return deleteUnusedNetwork(step, hcn);
    case 'delete unused namespace': {
      const namespace = await hcn.findNamespace(step.id);
      if (namespace?.Resources?.length === 0) await hcn.deleteNamespace(step.id);
      return;
    }
    case 'restore remote endpoint': {
      const { id, document } = step;
      if ((await hcn.findEndpoint(id)) !== undefined) return;
      return hcn.createEndpoint(document.HostComputeNetwork, id, document);
    }
    case 'restore load balancer': {
      const { id, document } = step;
      const observed = await hcn.findLoadBalancer(id);
      if (observed !== undefined && isSameLoadBalancer(observed, document)) return;
      if (observed !== undefined) await hcn.deleteLoadBalancer(id);
      return hcn.createLoadBalancer(id, document);
    }
  }
}

function mayAppear(what: string): Error {
  return new Error(`${what} may still appear`);
}
