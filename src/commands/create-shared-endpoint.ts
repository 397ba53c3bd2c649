import type { HcnClient } from '../hcn/client.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import type { Undo } from './undo.ts';

type CreateStep = Step & { readonly do: 'create host endpoint' | 'create remote endpoint' };

/** Two requests may need the same endpoint at once: HCN takes one of them, and the other uses what that one made. */
export async function createSharedEndpoint(step: CreateStep, hcn: HcnClient, undo: Undo): Promise<void> {
  try {
    await apply(step, hcn, undo);
  } catch (error) {
    if (!isRefusal(error) || (await hcn.findEndpoint(step.id)) === undefined) throw error;
  }
}
