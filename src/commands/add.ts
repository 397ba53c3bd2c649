import { afterRefusal, withDetails } from '../cni/error.ts';
import { type Attachment, type AttachRequest, attachmentOf, parseNamespaceId } from '../cni/request.ts';
import { appendResult, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { endpointId } from '../model/identity.ts';
import { endpointDocument, endpointNameFor } from '../plan/endpoint.ts';
import { requestedAddresses } from '../plan/endpoint-addresses.ts';
import { requiredFeatures } from '../plan/features.ts';
import { resultOf } from '../plan/result.ts';
import { apply } from './apply.ts';
import { assign } from './assign.ts';
import type { CommandContext } from './command-context.ts';
import { AlreadyAttached, createEndpoint, refuseAttached } from './create-endpoint.ts';
import { ensureHostEndpoint } from './ensure-host-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import { finishEndpoint } from './finish-endpoint.ts';
import { lookAtNetwork } from './look-at-network.ts';
import { findDropInEndpoint } from './own-endpoints.ts';
import { requireFeatures } from './require-features.ts';
import { requireNamespace } from './require-namespace.ts';
import { newUndo, type Undo } from './undo.ts';

/**
 * Gives a container one endpoint on the network (specification, section 4, "ADD"). What is cheap to find wrong comes first, the
 * network, whose creation interrupts the node's own, last. A failure gives back all that this call took, and nothing else.
 */
export async function add(
  request: AttachRequest,
  config: NetworkConfig,
  host: CommandContext,
): Promise<Result> {
  const { hcn } = host;
  const attachment = attachmentOf(request, config.name);
  const key = { id: endpointId(attachment), name: endpointNameFor(config, attachment) };
  const undo = newUndo();
  try {
    refuseSecondInterface(request, config.prevResult);
    const ipam = host.locateIpam();
    const plan = await lookAtNetwork(config, host);
    const { found, planned, adapters } = plan;
    await requireFeatures(requiredFeatures(config, found === undefined), hcn);
    await requireNamespace(request, hcn);
    if (config.behavior.endpointName === 'without interface') await replaceDropIn(attachment, hcn);
    const assignment = (await assign(ipam, key, host, undo)) ?? requestedAddresses(config);
    // Throws for addresses the network cannot have, before the network is created.
    endpointDocument(config, attachment, planned, assignment, adapters);
    const ensured = await ensureNetwork(plan, host, undo);
    await ensureHostEndpoint(config, ensured, host, undo);
    const document = endpointDocument(config, attachment, ensured.network, assignment, adapters);
    const step = { do: 'create endpoint', network: ensured.network.ID, id: key.id, document } as const;
    const endpoint = await createEndpoint(step, config, host, undo);
    await finishEndpoint({ step, config, assignment }, endpoint, host, undo);
    await attach(endpoint.ID, request.namespaceId, hcn, undo);
    const result = resultOf(endpoint, attachment, request.netns, config.mtu);
    return config.prevResult === undefined ? result : appendResult(config.prevResult, result);
  } catch (error) {
    if (error instanceof AlreadyAttached) throw error;
    throw withDetails(error, ...(await undo.unwind()));
  }
}

/** Deletes an unattached endpoint of the plugin that win-hcn replaced. Throws AlreadyAttached if that endpoint is attached. */
async function replaceDropIn(attachment: Attachment, hcn: HcnClient): Promise<void> {
  const dropIn = await findDropInEndpoint(attachment, hcn);
  if (dropIn === undefined) return;
  refuseAttached(dropIn);
  await hcn.deleteEndpoint(dropIn.ID);
}

/** Throws AlreadyAttached if another request has attached this endpoint in the meantime. */
async function attach(endpoint: Guid, namespace: Guid, hcn: HcnClient, undo: Undo): Promise<void> {
  try {
    await apply({ do: 'attach endpoint', endpoint, namespace }, hcn, undo);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const found = await hcn.findEndpoint(endpoint).catch((looking: unknown) => {
      throw afterRefusal(error, looking);
    });
    if (found !== undefined) refuseAttached(found);
    throw error;
  }
}

/** A plugin before this one in the chain may have made this very interface. */
function refuseSecondInterface({ ifname, namespaceId }: AttachRequest, previous: Result | undefined): void {
  const exists = previous?.interfaces.some(
    ({ name, sandbox }) => name === ifname && parseNamespaceId(sandbox ?? '') === namespaceId,
  );
  if (exists) throw new AlreadyAttached(`prevResult has "${ifname}" in namespace ${namespaceId}`);
}
