import type { AttachRequest } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import { endpointId, hostEndpointId } from '../model/identity.ts';
import { endpointDocument, endpointNameFor } from '../plan/endpoint.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { requiredFeatures } from '../plan/features.ts';
import { hostEndpointAddress, hostEndpointDocument } from '../plan/host-endpoint.ts';
import { type IdentifiedNetwork, policiesAfterCreation } from '../plan/network.ts';
import type { Step } from '../plan/steps.ts';
import type { CommandContext } from './command-context.ts';
import { findUnattached, refuseAttached } from './create-endpoint.ts';
import { findHostEndpoint, findHostNamespace } from './look-at-host-endpoint.ts';
import { lookAtNetwork } from './look-at-network.ts';
import { findDropInEndpoint } from './own-endpoints.ts';
import { requireFeatures } from './require-features.ts';
import { requireNamespace } from './require-namespace.ts';

/** What an ADD is asked for; without a namespace nothing is attached. */
export type PlannedRequest = Pick<AttachRequest, 'containerId' | 'ifname'> &
  Partial<Pick<AttachRequest, 'netns' | 'namespaceId'>>;

/**
 * The steps that an ADD would take now, in their order, as `add` takes them; only looks. The IPAM plugin is not asked:
 * `assignment` is what it would say. What HNS makes of the network is not known before, such as a provider address.
 * Throws as ADD does for all that it finds out before it changes anything.
 */
export async function planAdd(
  request: PlannedRequest,
  config: NetworkConfig,
  host: CommandContext,
  assignment: Assignment,
): Promise<readonly Step[]> {
  const { hcn } = host;
  const { containerId, ifname, netns, namespaceId } = request;
  const attachment = { containerId, ifname, network: config.name };
  const id = endpointId(attachment);
  const { found, planned, adapters } = await lookAtNetwork(config, host);
  await requireFeatures(requiredFeatures(config, found === undefined), hcn);
  if (namespaceId !== undefined) await requireNamespace({ netns: netns ?? namespaceId, namespaceId }, hcn);
  const dropIn =
    config.behavior.endpointName === 'without interface'
      ? await findDropInEndpoint(attachment, hcn)
      : undefined;
  if (dropIn !== undefined) refuseAttached(dropIn);
  const own = await findUnattached({ id, name: endpointNameFor(config, attachment) }, hcn);
  const document = endpointDocument(config, attachment, planned, assignment, adapters);
  return [
    ...(dropIn === undefined ? [] : [deleteUnfinished(dropIn)]),
    ...(found === undefined ? createNetwork(config, planned) : []),
    ...(await hostEndpointSteps(config, planned, hcn)),
    ...(own === undefined || own.ID === dropIn?.ID ? [] : [deleteUnfinished(own)]),
    { do: 'create endpoint', network: planned.ID, id, document },
    ...(namespaceId === undefined
      ? []
      : [{ do: 'attach endpoint', endpoint: id, namespace: namespaceId } as const]),
  ];
}

function deleteUnfinished({ ID: id, Name: name }: ObservedEndpoint): Step {
  return { do: 'delete unfinished endpoint', id, name, mayAppear: false };
}

function createNetwork(config: NetworkConfig, document: IdentifiedNetwork): readonly Step[] {
  const policies = policiesAfterCreation(config);
  const { ID: id } = document;
  return [
    { do: 'create network', id, document },
    ...(policies.length === 0 ? [] : [{ do: 'add network policies', id, policies } as const]),
  ];
}

async function hostEndpointSteps(
  config: NetworkConfig,
  network: IdentifiedNetwork,
  hcn: HcnClient,
): Promise<readonly Step[]> {
  const address = hostEndpointAddress(config, network);
  if (address === undefined) return [];
  const id = hostEndpointId(config.name);
  const found = await findHostEndpoint(id, network, address, hcn);
  if (found.state === 'at work') return [];
  const document = hostEndpointDocument(network, address);
  const attach = {
    do: 'attach host endpoint',
    endpoint: found.state === 'unfinished' ? found.id : id,
    namespace: await findHostNamespace(hcn),
  } as const;
  const create = { do: 'create host endpoint', network: network.ID, id, document } as const;
  switch (found.state) {
    case 'absent':
      return [create, attach];
    case 'unfinished':
      return [attach];
    case 'leftover':
      return [{ do: 'delete endpoint', id: found.id, namespace: undefined }, create, attach];
  }
}
