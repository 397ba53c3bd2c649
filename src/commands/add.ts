import { CniError, code } from '../cni/error.ts';
import { type AttachRequest, attachmentOf, parseNamespaceId } from '../cni/request.ts';
import { appendResult, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { endpointDocument } from '../plan/endpoint.ts';
import { requestedAddresses } from '../plan/endpoint-addresses.ts';
import { endpointId } from '../plan/identity.ts';
import { planNetwork } from '../plan/network.ts';
import { needsAdapters } from '../plan/network-adapter.ts';
import { healthDifferences } from '../plan/observed-endpoint.ts';
import { requiredFeatures } from '../plan/required-features.ts';
import { resultOf } from '../plan/result.ts';
import { assign } from './assign.ts';
import { AlreadyAttached, createEndpoint } from './create-endpoint.ts';
import { ensureHostEndpoint } from './ensure-host-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import { withDetails } from './failures.ts';
import type { Host } from './host.ts';
import { requireFeatures } from './require-features.ts';
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
    const found = await hcn.findNetwork(config.name);
    const adapters = needsAdapters(config, found) ? await host.ipHelper.readAdapters() : [];
    const planned = planNetwork(config, found, adapters);
    await requireFeatures(requiredFeatures(config, found === undefined), hcn);
    if (!(await hcn.openNamespace(request.namespaceId))) {
      throw new CniError(code.unknownContainer, `HCN has no namespace ${request.netns}: the sandbox is gone`);
    }
    const assignment = (await assign(ipam, id, host, undo)) ?? requestedAddresses(config);
    // Throws for addresses the network cannot have, before the network is created.
    endpointDocument(config, attachment, planned, assignment, adapters);
    const network = await ensureNetwork({ config, found, planned, adapters }, host, undo);
    await ensureHostEndpoint(config, network, host, undo);
    const document = endpointDocument(config, attachment, network, assignment, adapters);
    const step = { do: 'create endpoint', network: network.ID, id, document } as const;
    await createEndpoint(step, request.namespaceId, hcn, undo);
    const result = resultOf(await look(id, config.name, hcn), attachment, request.netns, config.mtu);
    return config.prevResult === undefined ? result : appendResult(config.prevResult, result);
  } catch (error) {
    if (error instanceof AlreadyAttached) throw error;
    throw withDetails(error, ...(await undo.unwind()));
  }
}

/** The endpoint as HNS made it. Throws when it has no address or is not healthy. */
async function look(id: Guid, network: string, hcn: Host['hcn']): Promise<ObservedEndpoint> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) {
    const message = `HCN has no endpoint ${id} any more, right after it was created: run ADD again`;
    throw new CniError(code.hcnFailure, message);
  }
  const problems = healthDifferences(endpoint);
  if (problems.length > 0) throw new CniError(code.hcnFailure, problems.join('; '));
  if (endpoint.IpConfigurations?.length) return endpoint;
  const message = `HCN made the endpoint without an address: give network "${network}" a subnet`;
  throw new CniError(code.hcnFailure, message);
}

/** A plugin before this one in the chain may have made this very interface. */
function refuseSecondInterface({ ifname, namespaceId }: AttachRequest, previous: Result | undefined): void {
  const exists = previous?.interfaces.some(
    ({ name, sandbox }) => name === ifname && parseNamespaceId(sandbox ?? '') === namespaceId,
  );
  if (exists) throw new AlreadyAttached(`prevResult has "${ifname}" in namespace ${namespaceId}`);
}
