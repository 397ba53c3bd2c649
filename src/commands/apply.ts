import type { HcnClient } from '../hcn/client.ts';
import { isOutcomeUnknown } from '../hcn/errors.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import { inverse, type Step } from '../plan/steps.ts';
import type { Undo } from './undo.ts';

/**
 * Carries out one step and puts its inverse on the undo stack, even when only its outcome is unknown. Answers a function that
 * takes the inverse back.
 */
export async function apply(step: Step, hcn: HcnClient, undo: Undo): Promise<() => void> {
  const pushInverse = (outcome: 'done' | 'unknown'): (() => void) => {
    const undoStep = inverse(step, outcome);
    if (undoStep === undefined) return () => undefined;
    const taken = undoStep.do === 'delete unused network' ? 'network' : 'endpoint';
    return undo.push(taken, () => carryOut(undoStep, hcn));
  };
  try {
    await carryOut(step, hcn);
  } catch (error) {
    if (isOutcomeUnknown(error)) pushInverse('unknown');
    throw error;
  }
  return pushInverse('done');
}

async function carryOut(step: Step, hcn: HcnClient): Promise<void> {
  switch (step.do) {
    case 'create network':
      return hcn.createNetwork(step.id, step.document);
    case 'create endpoint':
      return hcn.createEndpoint(step.network, step.id, step.document);
    case 'attach endpoint':
      return hcn.addEndpoint(step.namespace, step.endpoint);
    case 'delete endpoint':
      await hcn.deleteEndpoint(step.id);
      return;
    case 'delete unfinished endpoint': {
      const endpoint = await hcn.findEndpoint(step.id);
      if (endpoint !== undefined && !isAttached(endpoint)) await hcn.deleteEndpoint(step.id);
      if (endpoint === undefined && step.mayAppear) {
        throw new Error(`endpoint ${step.id} may still appear`);
      }
      return;
    }
    case 'delete unused network': {
      const endpoints = await hcn.findEndpointsOfNetwork(step.id);
      if (endpoints.length === 0) await hcn.deleteNetwork(step.id);
    }
  }
}
