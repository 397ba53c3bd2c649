import { CniError, code } from '../cni/error.ts';
import type { AttachRequest } from '../cni/request.ts';
import { appendResult, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { endpointDocument } from '../plan/endpoint.ts';
import { endpointId } from '../plan/identity.ts';
import { resultOf } from '../plan/result.ts';
import { apply } from './apply.ts';
import { assign } from './assign.ts';
import { AlreadyAttached, createEndpoint } from './create-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import { withDetails } from './failures.ts';
import type { Host } from './host.ts';
import { newUndo } from './undo.ts';

/**
 * Gives a container one endpoint on the network (specification, section 4, "ADD").
 * A failure gives back all that this call took, and nothing else.
 */
export async function add(request: AttachRequest, config: NetworkConfig, host: Host): Promise<Result> {
  const { hcn } = host;
  const attachment = { containerId: request.containerId, ifname: request.ifname, network: config.name };
  const id = endpointId(attachment);
  const undo = newUndo();
  try {
    const found = await hcn.findNetwork(config.name);
    if (!(await hcn.openNamespace(request.namespaceId))) {
      throw new CniError(code.unknownContainer, `HCN has no namespace ${request.netns}: the sandbox is gone`);
    }
    const network = await ensureNetwork(config, found, host, undo);
    const assignment = await assign(id, host, undo);
    const document = endpointDocument(config, attachment, network, assignment);
    await createEndpoint({ do: 'create endpoint', network: network.ID, id, document }, hcn, undo);
    await apply({ do: 'attach endpoint', endpoint: id, namespace: request.namespaceId }, hcn, undo);
    const endpoint = await hcn.findEndpoint(id);
    const result = endpoint && resultOf(endpoint, attachment, request.netns);
    if (result === undefined || result.ips.length === 0) {
      throw new CniError(code.hcnFailure, `HCN made endpoint "${document.Name}" without an address`);
    }
    return config.prevResult === undefined ? result : appendResult(config.prevResult, result);
  } catch (error) {
    if (error instanceof AlreadyAttached) throw error;
    throw withDetails(error, await undo.unwind());
  }
}
