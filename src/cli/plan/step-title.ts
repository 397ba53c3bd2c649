import type { Step } from '../../plan/steps.ts';

/** A step in words, with the ids of what it is about. */
export function titleOf(step: Step): string {
  switch (step.do) {
    case 'create endpoint':
    case 'create host endpoint':
      return `${step.do} ${step.id} on network ${step.network}`;
    case 'attach endpoint':
    case 'attach host endpoint':
    case 'attach existing endpoint':
      return `${step.do} ${step.endpoint} to namespace ${step.namespace}`;
    default:
      return `${step.do} ${step.id}`;
  }
}
