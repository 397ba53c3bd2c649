import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { isHostEndpoint } from '../model/ownership.ts';
import { attachedTo } from '../model/readiness.ts';
import type { Step } from '../plan/steps.ts';
import { removeEndpoint } from './remove-endpoint.ts';

type DeleteNetworkStep = Extract<Step, { readonly do: 'delete unused network' }>;

/** Deletes a network and the node's own endpoints on it. Does nothing if the network is absent or has any other endpoint. */
export async function deleteUnusedNetwork(step: DeleteNetworkStep, hcn: HcnClient): Promise<void> {
  const network = await hcn.findNetworkById(step.id);
  if (network === undefined) return;
  const hostEndpoints: ObservedEndpoint[] = [];
  for (const id of await hcn.findEndpointsOfNetwork(network.ID)) {
    const endpoint = await hcn.findEndpoint(id);
    const isOfNode =
      step.hostEndpoints.includes(id) || isHostEndpoint({ id, name: endpoint?.Name }, step.name);
    if (!isOfNode) return;
    if (endpoint !== undefined) hostEndpoints.push(endpoint);
  }
  for (const endpoint of hostEndpoints) await removeEndpoint(endpoint.ID, attachedTo(endpoint), hcn);
  return hcn.deleteNetwork(network.ID);
}
