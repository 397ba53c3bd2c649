import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { requiredFeatures } from '../plan/features.ts';
import { findEndpointByKey } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { createEndpoint, keyOf, refuseAttached } from './create-endpoint.ts';
import { ensureNetwork, findOrPlanNetwork } from './network.ts';
import { requireFeatures } from './requirements.ts';

/**
 * Creates the endpoint that ADD would create for an attachment, in no namespace, on an existing network. Does not run the IPAM plugin:
 * `assignment` is what it would return. Throws code 101 if the attachment has an endpoint already.
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
    throw new CniError(code.notAsExpected, `HCN has no network "${config.name}" to create the endpoint on`, {
      details: 'win-hcn network ensure creates it from the same file',
    });
  }
  await requireFeatures(requiredFeatures(config, false), hcn);
  const existing = await findEndpointByKey(keyOf(config, attachment), hcn);
  if (existing !== undefined) {
    refuseAttached(existing, changes);
    const { containerId, ifname, network } = attachment;
    const message = `${containerId} has an endpoint for "${ifname}" on network "${network}" already, in no namespace: ${existing.ID}`;
    throw new CniError(code.alreadyAttached, message, {
      details: 'win-hcn endpoint attach attaches it, win-hcn endpoint delete deletes it',
    });
  }
  return changes.transaction(async () => {
    const { network } = await ensureNetwork(plan, context);
    return createEndpoint({ attachment, config, network, adapters: plan.adapters, assignment }, context);
  });
}
