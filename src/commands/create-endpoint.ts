import { CniError, code } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import type { CreateEndpointStep } from '../plan/steps.ts';
import { apply } from './apply.ts';
import { freeAddresses, type Owner } from './free-addresses.ts';
import type { Host } from './host.ts';
import type { Undo } from './undo.ts';

/** This attachment exists and works: the ADD that asks for it again is refused and must disturb nothing. */
export class AlreadyAttached extends CniError {
  constructor(what: string) {
    super(code.alreadyAttached, `this interface exists already: ${what}`, { details: 'DEL it first' });
  }
}

/**
 * Creates an attachment's endpoint and puts it into its namespace. An endpoint that an interrupted ADD left behind, in no
 * namespace, is replaced, and so is a leftover with its addresses. HNS has several ways to say that one exists, so after any refusal
 * we look.
 * Throws AlreadyAttached when there is one at work.
 */
export async function createEndpoint(
  step: CreateEndpointStep,
  namespace: Guid,
  owner: Owner,
  host: Host,
  undo: Undo,
): Promise<void> {
  const { hcn } = host;
  try {
    await apply(step, hcn, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const removed = (await removeUnfinished(step.id, hcn)) || (await freeAddresses(error, step, owner, host));
    if (!removed) throw error;
    await apply(step, hcn, undo);
  }
  try {
    await apply({ do: 'attach endpoint', endpoint: step.id, namespace }, hcn, undo);
  } catch (error) {
    if (isRefusal(error)) await throwIfAttached(step.id, hcn);
    throw error;
  }
}

/** Deletes an endpoint that is in no namespace and answers whether there was one. Throws AlreadyAttached for one at work. */
export async function removeUnfinished(id: Guid, hcn: HcnClient): Promise<boolean> {
  return (await throwIfAttached(id, hcn)) ? hcn.deleteEndpoint(id) : false;
}

/** Answers whether there is an endpoint, in no namespace. Throws AlreadyAttached for one at work. */
async function throwIfAttached(id: Guid, hcn: HcnClient): Promise<boolean> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint !== undefined && isAttached(endpoint)) {
    throw new AlreadyAttached(`endpoint "${endpoint.Name}" is in namespace ${endpoint.HostComputeNamespace}`);
  }
  return endpoint !== undefined;
}
