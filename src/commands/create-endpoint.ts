import { CniError, code } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { HcnError } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isAlreadyExists } from '../hcn/hresults.ts';
import { isAttached } from '../plan/observed-endpoint.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import type { Undo } from './undo.ts';

/** This attachment exists and works: the ADD that asks for it again is refused and must disturb nothing. */
export class AlreadyAttached extends CniError {
  constructor(name: string, namespace: string) {
    super(
      code.alreadyAttached,
      `this interface exists already: endpoint "${name}" is in namespace ${namespace}`,
      {
        details: 'DEL it first',
      },
    );
  }
}

/**
 * Creates an attachment's endpoint. One that an interrupted ADD left behind, in no namespace, is replaced.
 * Throws AlreadyAttached when there is one at work.
 */
export async function createEndpoint(
  step: Step & { readonly do: 'create endpoint' },
  hcn: HcnClient,
  undo: Undo,
): Promise<void> {
  try {
    await apply(step, hcn, undo);
  } catch (error) {
    if (!(error instanceof HcnError && isAlreadyExists(error.hresult))) throw error;
    if (!(await removeUnfinished(step.id, hcn))) throw error;
    await apply(step, hcn, undo);
  }
}

/** Deletes an endpoint that is in no namespace and answers whether there was one. Throws AlreadyAttached for one at work. */
export async function removeUnfinished(id: Guid, hcn: HcnClient): Promise<boolean> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) return false;
  if (isAttached(endpoint)) throw new AlreadyAttached(endpoint.Name, endpoint.HostComputeNamespace);
  return hcn.deleteEndpoint(id);
}
