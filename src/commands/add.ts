import { afterRefusal, toCniError, withDetails } from '../cni/error.ts';
import { type Attachment, type AttachRequest, attachmentOf, parseNamespaceId } from '../cni/request.ts';
import { appendResult, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { allAddressesIn, type ObservedEndpoint } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { type Assignment, requestedAddresses } from '../plan/endpoint-addresses.ts';
import { type EndpointKey, keyOf, planEndpoint } from '../plan/endpoint-plan.ts';
import { requiredFeatures } from '../plan/features.ts';
import type { IdentifiedNetwork } from '../plan/network-plan.ts';
import { afterAttachRefusal } from '../plan/refusals.ts';
import { resultOf } from '../plan/result.ts';
import { findEndpointByKey, findReplacedEndpoint, isCreatedHere } from '../steps/find-endpoints.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';
import { alreadyAttached, createEndpoint, deleteLeftover, refuseAttached } from './create-endpoint.ts';
import { ensureHostEndpoint } from './host-endpoint.ts';
import { watchLeases } from './leases.ts';
import { ensureNetwork, findOrPlanNetwork } from './network.ts';
import { disappeared } from './new-endpoint.ts';
import { begin, beginFeatures, requireFeatures, requireNamespace } from './requirements.ts';

/** What ADD is to attach; without a namespace, nothing is attached. */
export type AddRequest = Pick<AttachRequest, 'containerId' | 'ifname'> &
  Partial<Pick<AttachRequest, 'netns' | 'namespaceId'>>;

/**
 * Creates one endpoint on the network for a container and attaches it (specification, section 2, "ADD"). Cheap checks come first; the
 * creation of the network, which interrupts the node's connections, comes last. A failure rolls back every change of this call, and
 * no other; so does a failure of `respond`, which returns the result to the caller.
 */
export function add<T>(
  request: AttachRequest,
  config: NetworkConfig,
  context: CommandContext,
  respond: (result: Result) => T,
): Promise<T> {
  const respondWith = (endpoint: ObservedEndpoint) => {
    const result = resultOf(endpoint, attachmentOf(request, config.name), request.netns, config.mtu);
    return respond(config.prevResult === undefined ? result : appendResult(config.prevResult, result));
  };
  return context.changes.transaction(() => addEndpoint(request, config, context, respondWith));
}

/** The changes of `add`. Returns what `respond` returns for the endpoint as HNS shows it. */
export async function addEndpoint<T>(
  request: AddRequest,
  config: NetworkConfig,
  context: CommandContext,
  respond: (endpoint: ObservedEndpoint) => T,
): Promise<T> {
  const { hcn, changes } = context;
  const attachment = attachmentOf(request, config.name);
  refuseSecondInterface(request, config.prevResult);
  const ipam = context.locateIpam();
  const planning = begin(findOrPlanNetwork(config, context));
  const namespace =
    request.namespaceId &&
    begin(requireNamespace(request.namespaceId, request.netns ?? request.namespaceId, hcn));
  beginFeatures(requiredFeatures(config, false), hcn);
  const plan = await planning;
  await requireFeatures(plan.required, hcn);
  await namespace;
  if (config.behavior.endpointName === 'without interface') await deleteReplaced(attachment, context);
  const assign = ipam && ({ do: 'assign addresses', plugin: ipam.type } as const);
  const assignment: Assignment =
    assign === undefined
      ? requestedAddresses(config)
      : await assignAddresses(assign, keyOf(config, attachment), context);
  const leases = watchLeases(ipam, assignment, changes);
  if (assign !== undefined) changes.keep(assign, leases.areLost);
  const planOn = (network: IdentifiedNetwork) =>
    planEndpoint(config, attachment, network, plan.adapters, assignment);
  const planned = planOn(plan.planned);
  const ensured = await ensureNetwork(plan, context);
  await ensureHostEndpoint(plan, ensured, context);
  // HNS completes a new network, for example with the subnets that it chooses.
  const isAsPlanned = ensured.network === plan.planned;
  const endpoint = await createEndpoint(
    isAsPlanned ? planned : planOn(ensured.network),
    ensured.isNew,
    context,
  );
  if (request.namespaceId !== undefined) await attach(endpoint, request.namespaceId, context);
  await leases.require();
  return respond(endpoint);
}

/** Deletes the unattached endpoint of the plugin that win-hcn replaced. Throws code 101 if it is attached. */
async function deleteReplaced(attachment: Attachment, context: CommandContext): Promise<void> {
  const endpoint = await findReplacedEndpoint(attachment, context.hcn);
  if (endpoint === undefined) return;
  refuseAttached(endpoint, context.changes);
  await deleteLeftover(endpoint, context.changes);
}

/**
 * Throws code 101 if another request has attached this endpoint in the meantime, and code 11 if it no longer exists. HNS may attach the
 * endpoint and refuse nevertheless: if it answers that the endpoint is attached, the attachment is valid.
 */
async function attach(
  created: ObservedEndpoint,
  namespace: NamespaceId,
  { hcn, changes }: CommandContext,
): Promise<void> {
  const { ID: endpoint, Name: name } = created;
  const addresses = allAddressesIn(created);
  try {
    await changes.apply({ do: 'attach endpoint', endpoint, name, namespace, addresses });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const found = await hcn.findEndpoint(endpoint).catch((lookup: unknown) => {
      throw afterRefusal(error, lookup);
    });
    const isOurs = found !== undefined && isCreatedHere(endpoint, found, addresses, hcn);
    switch (afterAttachRefusal(error.hresult, found, namespace, isOurs)) {
      case 'gone':
        throw withDetails(disappeared(endpoint), error.message);
      case 'attached':
        return;
      case 'leave':
        if (found !== undefined) refuseAttached(found, changes);
        throw error;
      case 'fail':
        throw error;
      case 'detach':
        await changes
          .apply({ do: 'detach endpoint', endpoint, name, namespace })
          .catch((failure: unknown) => {
            throw withDetails(error, toCniError(failure).message);
          });
        throw error;
    }
  }
}

/** An earlier plugin of the chain may have created this very interface. */
function refuseSecondInterface({ ifname, namespaceId }: AddRequest, previous: Result | undefined): void {
  const exists = previous?.interfaces.some(
    ({ name, sandbox }) => name === ifname && parseNamespaceId(sandbox ?? '') === namespaceId,
  );
  if (exists && namespaceId !== undefined)
    throw alreadyAttached(`prevResult has "${ifname}" in namespace ${namespaceId}`);
}

/**
 * The addresses that the IPAM plugin assigns to an endpoint. If the plugin fails, an earlier ADD may be the reason. If that one's endpoint
 * is attached, it keeps its addresses: throws code 101. If it is a leftover, deletes it, releases its addresses, and runs the plugin again.
 * Otherwise throws the plugin's error; the rollback then releases what the plugin may have assigned (specification, section 4).
 */
export async function assignAddresses(
  assign: Step<'assign addresses'>,
  endpoint: EndpointKey,
  { hcn, changes }: CommandContext,
): Promise<Assignment> {
  try {
    return await changes.apply(assign);
  } catch (error) {
    const failed = (lookup: unknown): never => {
      changes.keep(assign);
      throw withDetails(error, toCniError(lookup).message);
    };
    const leftover = await findEndpointByKey(endpoint, hcn).catch(failed);
    if (leftover === undefined) throw error;
    refuseAttached(leftover, changes);
    await deleteLeftover(leftover, changes).catch(failed);
    await changes.apply({ do: 'release addresses', plugin: assign.plugin });
    changes.keep(assign);
    return changes.apply(assign);
  }
}
