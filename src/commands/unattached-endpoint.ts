import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { keyOf, planEndpoint } from '../plan/endpoint-plan.ts';
import { findEndpointByKey } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { finishEndpoint, refuseAttached } from './create-endpoint.ts';
import { ensureNetwork, findOrPlanNetwork } from './network.ts';
import { create, findCreated } from './new-endpoint.ts';
import { requireFeatures } from './requirements.ts';

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
  await requireFeatures(plan.required, hcn);
  const existing = await findEndpointByKey(keyOf(config, attachment), hcn);
  if (existing !== undefined) {
    refuseAttached(existing, changes);
    const { containerId, ifname, network } = attachment;
    const message = `container ${containerId} already has an unattached endpoint for "${ifname}" on network "${network}": ${existing.ID}`;
    throw new CniError(code.alreadyAttached, message, {
      details: 'win-hcn debug endpoint attach attaches it, win-hcn debug endpoint delete deletes it',
    });
  }
  return changes.transaction(async () => {
    const { network, isNew } = await ensureNetwork(plan, context);
    const endpoint = planEndpoint(config, attachment, network, plan.adapters, assignment);
    await create(endpoint.step, isNew, context);
    return finishEndpoint(endpoint, await findCreated(endpoint.step, context), context);
  });
}
