import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { endpointId } from '../model/identity.ts';
import { endpointDocument, endpointNameFor } from '../plan/endpoint.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { requiredFeatures } from '../plan/features.ts';
import { apply } from './apply.ts';
import type { CommandContext } from './command-context.ts';
import { findCreated, findUnattached } from './create-endpoint.ts';
import { ensureNetwork } from './ensure-network.ts';
import { finishEndpoint } from './finish-endpoint.ts';
import { lookAtNetwork } from './look-at-network.ts';
import { requireFeatures } from './require-features.ts';
import { undoing } from './undo.ts';

/**
 * Creates the endpoint that an ADD would make for an attachment, in no namespace, on a network that exists. The IPAM plugin is not
 * asked: `assignment` is what it would say. Throws where the attachment has an endpoint already, which stays as it is.
 */
export async function createUnattachedEndpoint(
  attachment: Attachment,
  config: NetworkConfig,
  assignment: Assignment,
  host: CommandContext,
): Promise<ObservedEndpoint> {
  const { hcn } = host;
  const plan = await lookAtNetwork(config, host);
  if (plan.found === undefined) {
    throw new CniError(code.notAsExpected, `HCN has no network "${config.name}" to create the endpoint on`, {
      details: 'win-hcn network ensure makes it, from the same file',
    });
  }
  await requireFeatures(requiredFeatures(config, false), hcn);
  await refuseExisting(attachment, config, hcn);
  return undoing(async (undo) => {
    const { network } = await ensureNetwork(plan, host, undo);
    const id = endpointId(attachment);
    const document = endpointDocument(config, attachment, network, assignment, plan.adapters);
    const step = { do: 'create endpoint', network: network.ID, id, document } as const;
    await apply(step, hcn, undo);
    const endpoint = await findCreated(step, hcn);
    await finishEndpoint({ step, config, assignment }, endpoint, host, undo);
    return endpoint;
  });
}

async function refuseExisting(attachment: Attachment, config: NetworkConfig, hcn: HcnClient): Promise<void> {
  const key = { id: endpointId(attachment), name: endpointNameFor(config, attachment) };
  const existing = await findUnattached(key, hcn);
  if (existing === undefined) return;
  const { containerId, ifname, network } = attachment;
  const message = `${containerId} has an endpoint for "${ifname}" on network "${network}" already, in no namespace: ${existing.ID}`;
  throw new CniError(code.alreadyAttached, message, {
    details: 'win-hcn endpoint attach puts it into one, win-hcn endpoint delete deletes it',
  });
}
