import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import type { Step } from '../../plan/steps.ts';
import { describeImpact } from '../confirm.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';

export interface NetworkDeletion {
  /** All that goes. */
  readonly shown: readonly Step[];
  /** Takes all of it, once it has seen that no other endpoint came. */
  readonly step: Step;
  readonly impact: readonly string[];
  /** The endpoints that keep the network: all but the node's own. */
  readonly keepers: readonly EndpointRow[];
}

/** What deleting a network takes. */
export function planDeletion(network: ObservedNetwork, inventory: Inventory): NetworkDeletion {
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === network.ID)
    .map((endpoint) => endpointRow(endpoint, inventory));
  const own = rows.filter(({ owner }) => owner === 'node');
  const adapter = boundAdapter(network);
  const step: Step = {
    do: 'delete unused network',
    id: network.ID,
    name: network.Name,
    hostEndpoints: own.map(({ id }) => id),
  };
  return {
    shown: [...own.map(({ id, namespace }) => ({ do: 'delete endpoint', id, namespace }) as const), step],
    step,
    impact: [
      ...own.flatMap(describeImpact),
      ...(isExternal(network.Type)
        ? [
            `Connections to the node through ${adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`}, such as RDP and SSH, can be interrupted.`,
          ]
        : []),
    ],
    keepers: rows.filter((row) => !own.includes(row)),
  };
}
