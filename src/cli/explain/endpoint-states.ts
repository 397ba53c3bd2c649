import { stateName } from '../../model/readiness.ts';

interface Meaning {
  readonly name: string;
  readonly says: string;
  readonly next: string;
}

const none = 'No action is required.';
const leftover = 'If its pod no longer exists, the endpoint is a leftover: run win-hcn gc.';

/** What the states of an endpoint mean, by number. */
const meanings: readonly Omit<Meaning, 'name'>[] = [
  { says: 'HNS has not finished the creation of the endpoint.', next: leftover },
  { says: 'The endpoint exists, and is not attached yet.', next: leftover },
  { says: 'The endpoint is attached to one container or virtual machine.', next: none },
  {
    says: 'The endpoint is attached to a namespace that containers share. This is the usual state of a pod.',
    next: `${none} State 3 does not mean that the endpoint is detached. If the pod has no connectivity, run win-hcn doctor.`,
  },
  { says: 'The endpoint was attached, and no longer is.', next: leftover },
  {
    says: 'HNS could not apply the endpoint in full.',
    next: 'Run win-hcn show endpoint ID for its LastErrorCode, then delete the pod, so that it is recreated.',
  },
  { says: 'HNS has deleted the endpoint, or is deleting it.', next: none },
];

/**
 * The meaning of `State` of an endpoint; undefined for an unknown number. The numbers are those of hcsshim
 * (internal/hns/hnsendpoint.go). Those of networks and namespaces are not documented.
 */
export function endpointState(number: number): Meaning | undefined {
  const meaning = meanings[number];
  return meaning && { name: number === 0 ? 'Uninitialized' : stateName({ State: number }), ...meaning };
}
