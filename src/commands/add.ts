import { type Attachment, type AttachRequest, attachmentOf, parseNamespaceId } from '../cni/request.ts';
import { appendResult, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import { endpointDocument } from '../plan/endpoint.ts';
import { requestedAddresses } from '../plan/endpoint-addresses.ts';
import { endpointId } from '../plan/identity.ts';
import { requiredFeatures } from '../plan/required-features.ts';
import { resultOf } from '../plan/result.ts';
import { assign } from './assign.ts';
import { AlreadyAttached, createEndpoint, removeUnfinished } from './create-endpoint.ts';
import { ensureHostEndpoint } from './ensure-host-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import { withDetails } from './failures.ts';
import { finishEndpoint } from './finish-endpoint.ts';
import type { Host } from './host.ts';
import { findInheritedEndpoint } from './inherited-endpoint.ts';
import { lookAtNetwork } from './look-at-network.ts';
import { requireFeatures } from './require-features.ts';
import { requireNamespace } from './require-namespace.ts';
import { newUndo } from './undo.ts';

/**
 * Gives a container one endpoint on the network (specification, section 4, "ADD"). What is cheap to find wrong comes first, the
 * network, whose creation interrupts the node's own, last. A failure gives back all that this call took, and nothing else.
 */
export async function add(request: AttachRequest, config: NetworkConfig, host: Host): Promise<Result> {
  const { hcn } = host;
  const attachment = attachmentOf(request, config.name);
  const id = endpointId(attachment);
  const undo = newUndo();
  try {
    refuseSecondInterface(request, config.prevResult);
    const ipam = host.locateIpam();
    const plan = await lookAtNetwork(config, host);
    const { found, planned, adapters } = plan;
    await requireFeatures(requiredFeatures(config, found === undefined), hcn);
    await requireNamespace(request, hcn);
    if (config.manner.endpointName === 'without interface') await replaceInherited(attachment, hcn);
    const assignment = (await assign(ipam, id, host, undo)) ?? requestedAddresses(config);
    // Throws for addresses the network cannot have, before the network is created.
    endpointDocument(config, attachment, planned, assignment, adapters);
    const ensured = await ensureNetwork(plan, host, undo);
    await ensureHostEndpoint(config, ensured, host, undo);
    const document = endpointDocument(config, attachment, ensured.network, assignment, adapters);
    const step = { do: 'create endpoint', network: ensured.network.ID, id, document } as const;
    await createEndpoint(step, request.namespaceId, config, host, undo);
    const created = { step, namespace: request.namespaceId, config, assignment };
    const endpoint = await finishEndpoint(created, hcn, undo);
    const result = resultOf(endpoint, attachment, request.netns, config.mtu);
    return config.prevResult === undefined ? result : appendResult(config.prevResult, result);
  } catch (error) {
    if (error instanceof AlreadyAttached) throw error;
    throw withDetails(error, ...(await undo.unwind()));
  }
}

/** What the plugin before us left unfinished goes. Throws AlreadyAttached for what it finished. */
async function replaceInherited(attachment: Attachment, hcn: HcnClient): Promise<void> {
  const inherited = await findInheritedEndpoint(attachment, hcn);
  if (inherited !== undefined) await removeUnfinished(inherited, hcn);
}

/** A plugin before this one in the chain may have made this very interface. */
function refuseSecondInterface({ ifname, namespaceId }: AttachRequest, previous: Result | undefined): void {
  const exists = previous?.interfaces.some(
    ({ name, sandbox }) => name === ifname && parseNamespaceId(sandbox ?? '') === namespaceId,
  );
  if (exists) throw new AlreadyAttached(`prevResult has "${ifname}" in namespace ${namespaceId}`);
}
