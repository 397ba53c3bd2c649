import type { HostComputeEndpoint, HostComputeNetwork } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';

/** One change to HCN, as a value. "Unused" is without endpoints, "unfinished" in no namespace: only then they are deleted. */
export type Step =
  | { readonly do: 'create network'; readonly id: Guid; readonly document: HostComputeNetwork }
  | { readonly do: 'delete unused network'; readonly id: Guid }
  | {
      readonly do: 'create endpoint';
      readonly network: Guid;
      readonly id: Guid;
      readonly document: HostComputeEndpoint;
    }
  | { readonly do: 'delete unfinished endpoint'; readonly id: Guid; readonly mayAppear: boolean }
  | { readonly do: 'attach endpoint'; readonly endpoint: Guid; readonly namespace: Guid }
  | { readonly do: 'delete endpoint'; readonly id: Guid };

/**
 * The step that undoes another one that is done, or may be: a call that timed out can still take effect. What a step was to
 * create can be somebody else's by then, so a network is deleted only while unused, an endpoint we did not attach only while
 * unfinished.
 */
export function inverse(step: Step, outcome: 'done' | 'unknown'): Step | undefined {
  switch (step.do) {
    case 'create network':
      return { do: 'delete unused network', id: step.id };
    case 'create endpoint':
      return { do: 'delete unfinished endpoint', id: step.id, mayAppear: outcome === 'unknown' };
    case 'attach endpoint':
      return { do: 'delete endpoint', id: step.endpoint };
    case 'delete unused network':
    case 'delete unfinished endpoint':
    case 'delete endpoint':
      return undefined;
  }
}
