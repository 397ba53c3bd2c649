import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { endpointDifferences } from '../plan/endpoint-differences.ts';
import { latePolicies } from '../plan/policies.ts';
import type { CreateEndpointStep } from '../plan/steps.ts';
import { apply } from './apply.ts';
import type { Undo } from './undo.ts';

/** What an endpoint was created from; without a namespace it is to be in none. */
export interface Created {
  readonly step: CreateEndpointStep;
  readonly namespace: Guid | undefined;
  readonly config: NetworkConfig;
  readonly assignment: Assignment;
}

/**
 * The endpoint as HNS made it; policies that need the address HNS assigned are added. Throws code 100 with everything that did not
 * come to be as it was sent.
 */
export async function finishEndpoint(
  { step: { id, document }, namespace, config, assignment }: Created,
  hcn: HcnClient,
  undo: Undo,
): Promise<ObservedEndpoint> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) {
    const message = `HCN has no endpoint ${id} any more, right after it was created: try again`;
    throw new CniError(code.hcnFailure, message);
  }
  const [first, ...others] = endpointDifferences(document, namespace, endpoint);
  if (first !== undefined) throw new CniError(code.hcnFailure, first, { details: others.join('; ') });
  const late = assignment === undefined ? latePolicies(config, endpoint) : [];
  if (late.length > 0) await apply({ do: 'add endpoint policies', id, policies: late }, hcn, undo);
  return endpoint;
}
