import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { endpointFailures, endpointNotices } from '../plan/endpoint-differences.ts';
import { policiesAfterAssignment } from '../plan/policies.ts';
import type { CreateEndpointStep } from '../plan/steps.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import type { Undo } from './undo.ts';

/** What an endpoint was created from. */
export interface Created {
  readonly step: CreateEndpointStep;
  readonly config: NetworkConfig;
  readonly assignment: Assignment;
}

/**
 * Compares an endpoint that HNS created with what was sent, and adds the policies that need the address HNS assigned. Throws code 100
 * with every difference that makes the endpoint unfit for a pod; other differences are notices.
 */
export async function finishEndpoint(
  { step: { document }, config, assignment }: Created,
  endpoint: ObservedEndpoint,
  { hcn, notice }: Pick<CommandContext, 'hcn' | 'notice'>,
  undo: Undo,
): Promise<void> {
  const [first, ...others] = endpointFailures(document, endpoint);
  if (first !== undefined) throw new CniError(code.hcnFailure, first, { details: others.join('; ') });
  for (const text of endpointNotices(document, endpoint)) notice(text);
  const policies = assignment === undefined ? policiesAfterAssignment(config, endpoint) : [];
  if (policies.length > 0) await apply({ do: 'add endpoint policies', id: endpoint.ID, policies }, hcn, undo);
}
