import type { HcnClient } from '../hcn/client.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import { withDetails } from './failures.ts';
import { newUndo, type Undo } from './undo.ts';

/** Carries out steps one after the other. A failure gives back what they took. */
export async function applyAll(
  steps: readonly Step[],
  hcn: HcnClient,
  applyOne: (step: Step, hcn: HcnClient, undo: Undo) => Promise<unknown> = apply,
): Promise<void> {
  const undo = newUndo();
  try {
    for (const step of steps) await applyOne(step, hcn, undo);
  } catch (error) {
    throw withDetails(error, ...(await undo.unwind()));
  }
}
