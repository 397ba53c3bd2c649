import { afterRefusal, CniError, code, toCniError } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import { attachmentsNamed } from '../model/identity.ts';
import { isAttached } from '../model/readiness.ts';
import type { CreateEndpointStep } from '../plan/steps.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import { freeAddresses, type Owner } from './free-addresses.ts';
import { type EndpointKey, findByKey, findNamed } from './own-endpoints.ts';
import type { Undo } from './undo.ts';

/** This attachment exists and works: the ADD that asks for it again is refused and must disturb nothing. */
export class AlreadyAttached extends CniError {
  constructor(what: string, failure?: string) {
    const details = ['DEL it first', ...(failure === undefined ? [] : [failure])].join('; ');
    super(code.alreadyAttached, `this interface exists already: ${what}`, { details });
  }
}

/**
 * Creates an attachment's endpoint and returns it as HNS shows it; HNS may have chosen another id. Replaces the unattached endpoint
 * of an interrupted ADD, and leftovers that hold its addresses. HNS has several codes for an endpoint that exists, so any refusal
 * leads to a look-up. So does another id: HNS that chooses ids accepts a second endpoint of the same name.
 * Throws AlreadyAttached if this attachment has an endpoint in a namespace.
 */
export async function createEndpoint(
  step: CreateEndpointStep,
  owner: Owner,
  host: CommandContext,
  undo: Undo,
): Promise<ObservedEndpoint> {
  const { hcn } = host;
  try {
    await apply(step, hcn, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const key = { id: step.id, name: step.document.Name };
    const unfinished = await removeUnfinished(key, hcn).catch((looking: unknown) => {
      throw looking instanceof AlreadyAttached ? looking : afterRefusal(error, looking);
    });
    const removed = unfinished || (await freeAddresses(error, step, owner, host));
    if (!removed) throw error;
    await apply(step, hcn, undo);
  }
  const endpoint = await findCreated(step, hcn);
  if (endpoint.ID !== step.id) {
    refuseAmbiguous(endpoint.Name, owner.name);
    await removeNamesakes(endpoint, hcn);
  }
  return endpoint;
}

/** The endpoint that a step has created, with the id HNS chose. Throws code 100 if it is gone already. */
export async function findCreated(
  { id }: Pick<CreateEndpointStep, 'id'>,
  hcn: HcnClient,
): Promise<ObservedEndpoint> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint !== undefined) return endpoint;
  const message = `endpoint ${id} disappeared right after its creation: retry`;
  throw new CniError(code.hcnFailure, message);
}

/** Deletes an endpoint that is in no namespace. Returns whether there was one. Throws AlreadyAttached if it is in a namespace. */
export async function removeUnfinished(key: EndpointKey, hcn: HcnClient): Promise<boolean> {
  const unfinished = await findUnattached(key, hcn);
  if (unfinished !== undefined) await hcn.deleteEndpoint(unfinished.ID);
  return unfinished !== undefined;
}

/** The endpoint, undefined if absent. Throws AlreadyAttached if it is in a namespace. */
export async function findUnattached(
  key: EndpointKey,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  const endpoint = await findByKey(key, hcn);
  if (endpoint !== undefined) refuseAttached(endpoint);
  return endpoint;
}

/** Throws AlreadyAttached if the endpoint is in a namespace. */
export function refuseAttached(endpoint: ObservedEndpoint): void {
  if (isAttached(endpoint)) throw new AlreadyAttached(describe(endpoint));
}

/** Throws code 7 for a name that two attachments could have: where HNS chooses the ids, only the name tells whose an endpoint is. */
function refuseAmbiguous(name: string, network: string): void {
  if (attachmentsNamed(name, network).length < 2) return;
  throw new CniError(
    code.invalidConfig,
    `endpoint name "${name}" fits more than one container and interface, and HNS chose another id than requested`,
    { details: `name the network so that no container id and no interface has "_${network}_" in it` },
  );
}

/**
 * Deletes other endpoints of the same attachment, from earlier ADDs. If one of them is in a namespace, deletes the new one instead
 * and throws AlreadyAttached.
 */
async function removeNamesakes(created: ObservedEndpoint, hcn: HcnClient): Promise<void> {
  const others = (await findNamed(created.Name, hcn)).filter(({ ID }) => ID !== created.ID);
  const attached = others.find(isAttached);
  if (attached !== undefined) {
    const failure = await hcn.deleteEndpoint(created.ID).then(
      () => undefined,
      (error: unknown) => toCniError(error).message,
    );
    throw new AlreadyAttached(describe(attached), failure);
  }
  for (const { ID } of others) await hcn.deleteEndpoint(ID);
}

function describe({ Name, HostComputeNamespace }: ObservedEndpoint): string {
  return `endpoint "${Name}" is in namespace ${HostComputeNamespace}`;
}
