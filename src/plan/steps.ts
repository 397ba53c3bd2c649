import type { HostComputeEndpoint, HostComputeNetwork } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';

/** One change to HCN, as a value. A network is deleted only while no endpoint is on it, an unfinished endpoint only while in no namespace. */
export type Step =
  | { readonly do: 'create network'; readonly id: Guid; readonly document: HostComputeNetwork }
  | { readonly do: 'delete network'; readonly id: Guid }
  | {
      readonly do: 'create endpoint';
      readonly network: Guid;
      readonly id: Guid;
      readonly document: HostComputeEndpoint;
    }
  | { readonly do: 'delete endpoint'; readonly id: Guid }
  | { readonly do: 'delete unfinished endpoint'; readonly id: Guid }
  | { readonly do: 'attach endpoint'; readonly endpoint: Guid; readonly namespace: Guid };

/**
 * The step that undoes another one that is done, or may be: a call that timed out can still take effect, and what it was
 * to create can be somebody's already. An attached endpoint needs none: deleting it takes it out of its namespace.
 */
export function inverse(step: Step, outcome: 'done' | 'unknown'): Step | undefined {
  switch (step.do) {
    case 'create network':
      return { do: 'delete network', id: step.id };
    case 'create endpoint':
      return { do: outcome === 'done' ? 'delete endpoint' : 'delete unfinished endpoint', id: step.id };
    case 'attach endpoint':
    case 'delete network':
    case 'delete endpoint':
    case 'delete unfinished endpoint':
      return undefined;
  }
}
