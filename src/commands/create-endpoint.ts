import { afterRefusal, CniError, code, toCniError } from '../cni/error.ts';
import type { HcnReader } from '../hcn/client.ts';
import { addressesIn, type HostComputeEndpoint, type ObservedEndpoint } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { isExisting } from '../hcn/hresults.ts';
import { attachmentsNamed } from '../model/identity.ts';
import { isAttached } from '../model/readiness.ts';
import { endpointFailures, endpointNotices, translationNotices } from '../plan/endpoint-differences.ts';
import type { EndpointPlan } from '../plan/endpoint-plan.ts';
import { policiesAfterAssignment } from '../plan/policies.ts';
import { afterEndpointRefusal, isOccupied } from '../plan/refusals.ts';
import type { Changes } from '../steps/changes.ts';
import { findEndpointByKey, findEndpointsNamed } from '../steps/find-endpoints.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';
import { create, createAfterDeletion, findCreated, withoutAddress } from './new-endpoint.ts';
import { reclaimAddresses } from './reclaim-addresses.ts';

/**
 * Creates a planned endpoint and returns it as HNS shows it. Replaces the unattached endpoint of an interrupted ADD, and leftovers that
 * hold its addresses. Adds the policies that need the address HNS assigned. Throws code 101 if the attachment has an attached endpoint,
 * and code 100 with every difference from the document that makes the endpoint unusable for a pod.
 */
export async function createEndpoint(
  plan: EndpointPlan,
  isNewNetwork: boolean,
  context: CommandContext,
): Promise<ObservedEndpoint> {
  try {
    await create(plan.step, isNewNetwork, context);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await resolveRefusal(error, plan, context);
  }
  const endpoint = await findCreated(plan.step, context);
  if (endpoint.ID !== plan.step.id) {
    refuseAmbiguousName(endpoint.Name, plan.attachment.network);
    await deleteNamesakes(endpoint, context);
  }
  return finishEndpoint(plan, endpoint, context);
}

/** Removes what made HNS refuse an endpoint, and creates it. If the look-up fails, an endpoint may use the addresses, which then stay assigned. */
async function resolveRefusal(
  refusal: HcnError,
  { step, attachment, behavior }: EndpointPlan,
  context: CommandContext,
): Promise<void> {
  const { hcn, changes } = context;
  const failed = (lookup: unknown): never => {
    changes.keepAll();
    throw afterRefusal(refusal, lookup);
  };
  const found = await findEndpointByKey({ id: step.id, name: step.document.Name }, hcn).catch(failed);
  const resolution = afterEndpointRefusal(refusal.hresult, found);
  switch (resolution.do) {
    case 'fail':
      throw refusal;
    case 'leave':
      return refuseAttached(resolution.endpoint, changes);
    case 'replace':
      await deleteLeftover(resolution.endpoint, changes).catch(failed);
      return createAfterDeletion(step, undefined, context);
    case 'reclaim': {
      const isDeleted = await reclaimAddresses(
        refusal,
        step.document,
        { name: attachment.network, behavior },
        context,
      );
      if (!isDeleted && !isExisting(refusal.hresult)) throw refusal;
      return createAfterDeletion(step, isDeleted ? undefined : refusal, context);
    }
    case 'retry':
      return createAfterDeletion(step, refusal, context);
  }
}

/** Compares a created endpoint with its document, and adds the policies that need the address HNS assigned. */
export async function finishEndpoint(
  { step: { document }, network, notices, needsAddress }: EndpointPlan,
  endpoint: ObservedEndpoint,
  { changes, notice }: CommandContext,
): Promise<ObservedEndpoint> {
  const [first, ...others] = endpointFailures(document, endpoint);
  if (first !== undefined) throw new CniError(code.hcnFailure, first, { details: others.join('; ') });
  if (addressesIn(endpoint).length === 0) throw withoutAddress(endpoint, network);
  const about = [
    ...notices,
    ...endpointNotices(document, endpoint),
    ...translationNotices(document, network),
  ];
  for (const text of about) notice(text);
  if (needsAddress) {
    const policies = policiesAfterAssignment(endpoint);
    await changes.apply({ do: 'add endpoint policies', id: endpoint.ID, name: endpoint.Name, policies });
  }
  return endpoint;
}

/**
 * Creates an endpoint that several requests may need at once, and returns it; HNS may have chosen its id. If HCN refuses, returns
 * the endpoint that another request has created, or throws the refusal.
 */
export async function createSharedEndpoint(
  step: Step<'create host endpoint'>,
  isNewNetwork: boolean,
  context: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<ObservedEndpoint> {
  const { hcn } = context;
  try {
    await create(step, isNewNetwork, context);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const existing = await findShared(step.id, step.document, hcn).catch((lookup: unknown) => {
      throw afterRefusal(error, lookup);
    });
    if (existing !== undefined) return existing;
    if (!isExisting(error.hresult)) throw error;
    await createAfterDeletion(step, error, context);
  }
  return findCreated(step, context);
}

async function findShared(
  id: EndpointId,
  { Name, HostComputeNetwork: network }: HostComputeEndpoint,
  hcn: HcnReader,
): Promise<ObservedEndpoint | undefined> {
  const isShared = ({ HostComputeNetwork }: ObservedEndpoint) => HostComputeNetwork === network;
  return (await hcn.findEndpoint(id)) ?? (await findEndpointsNamed(Name, hcn)).find(isShared);
}

/** Deletes an endpoint that is in no namespace. Returns whether it existed. */
export function deleteLeftover({ ID: id, Name: name }: ObservedEndpoint, changes: Changes): Promise<boolean> {
  return changes.apply({ do: 'delete leftover endpoint', id, name });
}

/** Throws code 101 if a container has the endpoint. The attachment works and keeps what it has, so nothing is rolled back. */
export function refuseAttached(endpoint: ObservedEndpoint, changes: Changes): void {
  if (!isOccupied(endpoint)) return;
  changes.keepAll();
  throw alreadyAttached(describe(endpoint));
}

/** The attachment exists and works: an ADD that repeats it is refused and must not disturb it. */
export function alreadyAttached(what: string, failure?: string): CniError {
  const details = ['run DEL first', ...(failure === undefined ? [] : [failure])].join('; ');
  return new CniError(code.alreadyAttached, `the container already has this interface: ${what}`, { details });
}

/** Throws code 7 for a name that two attachments could have: if HNS chooses the ids, only the name identifies an endpoint. */
function refuseAmbiguousName(name: string, network: string): void {
  if (attachmentsNamed(name, network).length < 2) return;
  throw new CniError(
    code.invalidConfig,
    `endpoint name "${name}" matches more than one container and interface, and HNS chose another ID than requested`,
    { details: `rename the network, so that no container ID and no interface contains "_${network}_"` },
  );
}

/**
 * Deletes other endpoints of the same attachment, from earlier ADDs. If one of them is attached, deletes the new one instead and
 * throws code 101.
 */
async function deleteNamesakes(
  created: ObservedEndpoint,
  { hcn, changes }: Pick<CommandContext, 'hcn' | 'changes'>,
): Promise<void> {
  const others = (await findEndpointsNamed(created.Name, hcn)).filter(({ ID }) => ID !== created.ID);
  const attached = others.find(isAttached);
  if (attached !== undefined) {
    const failure = await deleteLeftover(created, changes).then(
      () => undefined,
      (error: unknown) => toCniError(error).message,
    );
    changes.keepAll();
    throw alreadyAttached(describe(attached), failure);
  }
  for (const other of others) await deleteLeftover(other, changes);
}

function describe({ Name, HostComputeNamespace }: ObservedEndpoint): string {
  return `endpoint "${Name}" is in namespace ${HostComputeNamespace}`;
}
