import { withDetails } from '../cni/error.ts';
import { isOutcomeUnknown } from '../hcn/errors.ts';
import { isEffectUnknown } from '../iphlpapi/windows-errors.ts';
import { type Changes, poll, type StepTargets } from './changes.ts';
import { newRollback } from './rollback.ts';
import type { Step, StepName } from './step.ts';
import { inverseOf, kindOf, remainsOf, runStep } from './table.ts';

/** Is called with each step that changed something. */
export type OnApplied = <Do extends StepName>(step: Step<Do>) => void;

/** Executes steps. `onApplied` is called after each step that changed something. */
export function executeSteps(targets: StepTargets, onApplied: OnApplied = () => undefined): Changes {
  const rollback = newRollback(targets);
  let remaining: readonly string[] = [];
  const remember = <Do extends StepName>(step: Step<Do>, outcome: 'done' | 'unknown') => {
    const inverse = inverseOf(step, outcome);
    if (inverse !== undefined) rollback.push({ step, kind: kindOf(step), inverse });
  };
  return {
    apply: async <Do extends StepName>(step: Step<Do>) => {
      try {
        const result = await runStep(step, targets);
        // Another request had made the change: this one must not undo it.
        if (result !== false) {
          remember(step, 'done');
          remaining = [...remaining, remainsOf(step) ?? []].flat();
          onApplied(step);
        }
        return result;
      } catch (error) {
        // An IPAM plugin that fails may still have assigned addresses (CNI specification, section 4).
        const isUnknown = isOutcomeUnknown(error) || isEffectUnknown(error);
        if (isUnknown || step.do === 'assign addresses') remember(step, 'unknown');
        throw error;
      }
    },
    keep: rollback.keep,
    keepAll: rollback.forget,
    transaction: async (work) => {
      remaining = [];
      try {
        const result = await work();
        rollback.forget();
        return result;
      } catch (error) {
        throw withDetails(await rollback.run(error), ...remaining);
      }
    },
    waitFor: (milliseconds, find) => poll(targets, milliseconds, find),
    pause: (milliseconds) => new Promise((resolve) => targets.timer(milliseconds, resolve)),
  };
}
