import { afterRefusal, CniError, code, toCniError } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnReader } from '../hcn/client.ts';
import { addressesIn, type HostComputeEndpoint, type ObservedEndpoint } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { isExisting } from '../hcn/hresults.ts';
import { attachmentsNamed, endpointId } from '../model/identity.ts';
import { isAttached, isInUse } from '../model/readiness.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { endpointDns, endpointDocument, endpointNameFor, ignoredRoutes } from '../plan/endpoint.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { endpointFailures, endpointNotices, translationNotices } from '../plan/endpoint-differences.ts';
import { requiredFeatures } from '../plan/features.ts';
import type { IdentifiedNetwork } from '../plan/network.ts';
import { policiesAfterAssignment } from '../plan/policies.ts';
import type { Changes } from '../steps/changes.ts';
import { type EndpointKey, findEndpointByKey, findEndpointsNamed } from '../steps/find-endpoints.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';
import { ensureNetwork, findOrPlanNetwork } from './network.ts';
import { create, createAfterDeletion, findCreated, withoutAddress } from './new-endpoint.ts';
import { reclaimAddresses } from './reclaim-addresses.ts';
import { requireFeatures } from './requirements.ts';

/** An endpoint to create for an attachment. */
export interface EndpointRequest {
  readonly attachment: Attachment;
  readonly config: NetworkConfig;
  readonly network: IdentifiedNetwork;
  /** Whether this request created the network. */
  readonly isNew: boolean;
  readonly adapters: readonly HostAdapter[];
  readonly assignment: Assignment;
}

/** How to find the endpoint of an attachment. */
export function keyOf(config: NetworkConfig, attachment: Attachment): EndpointKey {
  return { id: endpointId(attachment), name: endpointNameFor(config, attachment) };
}

/**
 * Creates an attachment's endpoint and returns it as HNS shows it. Replaces the unattached endpoint of an interrupted ADD, and
 * leftovers that hold its addresses. Adds the policies that need the address HNS assigned. Throws code 101 if the attachment has an
 * attached endpoint, and code 100 with every difference from the document that makes the endpoint unusable for a pod.
 */
export async function createEndpoint(
  request: EndpointRequest,
  context: CommandContext,
): Promise<ObservedEndpoint> {
  const step = creationOf(request);
  return finish(request, step, await createOrReplace(step, request, context), context);
}

function creationOf({
  attachment,
  config,
  network,
  adapters,
  assignment,
}: EndpointRequest): Step<'create endpoint'> {
  const document = endpointDocument(config, attachment, network, assignment, adapters);
  return { do: 'create endpoint', network: network.ID, id: keyOf(config, attachment).id, document };
}

/** Compares a created endpoint with its document, and adds the policies that need the address HNS assigned. */
async function finish(
  { config, assignment, network }: EndpointRequest,
  { document }: Step<'create endpoint'>,
  endpoint: ObservedEndpoint,
  { changes, notice }: CommandContext,
): Promise<ObservedEndpoint> {
  const [first, ...others] = endpointFailures(document, endpoint);
  if (first !== undefined) throw new CniError(code.hcnFailure, first, { details: others.join('; ') });
  if (addressesIn(endpoint).length === 0) throw withoutAddress(endpoint, network);
  const notices = [
    ...endpointDns(config, assignment).ignoredDns,
    ...ignoredRoutes(assignment),
    ...endpointNotices(document, endpoint),
    ...translationNotices(document, network),
  ];
  for (const text of notices) notice(text);
  const policies = assignment === undefined ? policiesAfterAssignment(config, endpoint) : [];
  if (policies.length > 0) {
    await changes.apply({ do: 'add endpoint policies', id: endpoint.ID, name: endpoint.Name, policies });
  }
  return endpoint;
}

/**
 * HNS has several codes for an endpoint that exists, so any refusal leads to a look-up. So does another id than requested: HNS that
 * chooses ids accepts a second endpoint of the same name. If the look-up fails, an endpoint may use the addresses, which then stay assigned.
 */
async function createOrReplace(
  step: Step<'create endpoint'>,
  { config, isNew }: EndpointRequest,
  context: CommandContext,
): Promise<ObservedEndpoint> {
  const { hcn, changes } = context;
  try {
    await create(step, isNew, context);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const failed = (lookup: unknown): never => {
      changes.keepAll();
      throw afterRefusal(error, lookup);
    };
    const leftover = await findEndpointByKey({ id: step.id, name: step.document.Name }, hcn).catch(failed);
    let isDeleted = leftover !== undefined;
    if (leftover !== undefined) {
      refuseAttached(leftover, changes);
      await deleteLeftover(leftover, changes).catch(failed);
    } else isDeleted = await reclaimAddresses(error, step.document, config, context);
    // Another request may have deleted an existing endpoint since.
    if (!isDeleted && !isExisting(error.hresult)) throw error;
    await createAfterDeletion(step, isDeleted ? undefined : error, context);
  }
  const endpoint = await findCreated(step, context);
  if (endpoint.ID !== step.id) {
    refuseAmbiguousName(endpoint.Name, config.name);
    await deleteNamesakes(endpoint, context);
  }
  return endpoint;
}

/**
 * Creates an endpoint that several requests may need at once, and returns it; HNS may have chosen its id. If HCN refuses, returns
 * the endpoint that another request has created, or throws the refusal.
 */
export async function createSharedEndpoint(
  step: Step<'create host endpoint' | 'create remote endpoint'>,
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
  if (!isAttached(endpoint) && !isInUse(endpoint)) return;
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

/**
 * Creates the endpoint that ADD would create for an attachment, in no namespace, on an existing network. Does not run the IPAM plugin:
 * `assignment` is what it would return. Replaces nothing: throws code 101 if the attachment has an endpoint already, and HCN's refusal if
 * another endpoint has the address.
 */
export async function createUnattachedEndpoint(
  attachment: Attachment,
  config: NetworkConfig,
  assignment: Assignment,
  context: CommandContext,
): Promise<ObservedEndpoint> {
  const { hcn, changes } = context;
  const plan = await findOrPlanNetwork(config, context);
  if (plan.found === undefined) {
    throw new CniError(code.notAsExpected, `HCN has no network "${config.name}"`, {
      details: 'win-hcn network ensure creates it from the same file',
    });
  }
  await requireFeatures(requiredFeatures(config, false), hcn);
  const existing = await findEndpointByKey(keyOf(config, attachment), hcn);
  if (existing !== undefined) {
    refuseAttached(existing, changes);
    const { containerId, ifname, network } = attachment;
    const message = `container ${containerId} already has an unattached endpoint for "${ifname}" on network "${network}": ${existing.ID}`;
    throw new CniError(code.alreadyAttached, message, {
      details: 'win-hcn endpoint attach attaches it, win-hcn endpoint delete deletes it',
    });
  }
  return changes.transaction(async () => {
    const ensured = await ensureNetwork(plan, context);
    const request = { attachment, config, ...ensured, adapters: plan.adapters, assignment };
    const step = creationOf(request);
    await create(step, ensured.isNew, context);
    return finish(request, step, await findCreated(step, context), context);
  });
}
