import type { HcnClient } from '../hcn/client.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import { type Undo, undoing } from './undo.ts';

/** Carries out steps one after the other. A failure gives back what they took. */
export function applyAll(
  steps: readonly Step[],
  hcn: HcnClient,
  applyOne: (step: Step, hcn: HcnClient, undo: Undo) => Promise<unknown> = apply,
): Promise<void> {
  return undoing(async (undo) => {
    for (const step of steps) await applyOne(step, hcn, undo);
  });
}
