import type { ObservedNetwork } from '../../hcn/documents.ts';
import { hostEndpointId } from '../../plan/identity.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import { boundAdapter } from '../../plan/observed-network.ts';
import type { Step } from '../../plan/steps.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { lossesOf } from '../losses.ts';

export interface NetworkDeletion {
  /** All that goes. */
  readonly shown: readonly Step[];
  /** As they are taken: the last one takes win-hcn's endpoint of the node along, once it has seen that no other endpoint came. */
  readonly steps: readonly Step[];
  readonly losses: readonly string[];
  /** The endpoints that keep the network: all but the node's own. */
  readonly keepers: readonly EndpointRow[];
}

/** What deleting a network takes. */
export function planDeletion(network: ObservedNetwork, inventory: Inventory): NetworkDeletion {
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === network.ID)
    .map((endpoint) => endpointRow(endpoint, inventory));
  const own = rows.filter(({ owner }) => owner === 'host endpoint');
  const adapter = boundAdapter(network);
  const hostEndpoint = hostEndpointId(network.Name);
  const last: Step = { do: 'delete unused network', id: network.ID, hostEndpoint };
  const endpointSteps = own.map(({ id }) => ({ do: 'delete endpoint', id }) as const);
  return {
    shown: [...endpointSteps, last],
    steps: [...endpointSteps.filter(({ id }) => id !== hostEndpoint), last],
    losses: [
      ...own.flatMap(lossesOf),
      ...(isExternal(network.Type)
        ? [
            `Connections to the node through ${adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`}, such as RDP and SSH, can be interrupted.`,
          ]
        : []),
    ],
    keepers: rows.filter((row) => !own.includes(row)),
  };
}
