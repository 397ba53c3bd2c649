import { afterRefusal } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import type { Step } from '../plan/steps.ts';
import { apply } from './apply.ts';
import { findCreated } from './create-endpoint.ts';
import { findNamed } from './own-endpoints.ts';
import type { Undo } from './undo.ts';

type CreateStep = Step & { readonly do: 'create host endpoint' | 'create remote endpoint' };

/**
 * Creates an endpoint that several requests may need at once, and returns the id HNS chose. If HCN refuses, returns the endpoint that
 * another request has created, or throws the refusal.
 */
export async function createSharedEndpoint(step: CreateStep, hcn: HcnClient, undo: Undo): Promise<Guid> {
  try {
    await apply(step, hcn, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const existing = await findExisting(step, hcn).catch((looking: unknown) => {
      throw afterRefusal(error, looking);
    });
    if (existing === undefined) throw error;
    return existing;
  }
  return (await findCreated(step, hcn)).ID;
}

async function findExisting({ id, document }: CreateStep, hcn: HcnClient): Promise<Guid | undefined> {
  if ((await hcn.findEndpoint(id)) !== undefined) return id;
  const named = await findNamed(document.Name, hcn);
  return named.find(({ HostComputeNetwork }) => HostComputeNetwork === document.HostComputeNetwork)?.ID;
}
