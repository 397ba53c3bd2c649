import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { findById, type Inventory, onceFor } from '../../model/inventory.ts';
import { type EndpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { shortContainer, shortGuid } from '../terminal/short-text.ts';
import { isSelected, known } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

/** An endpoint of a pod, as HCN has it and as `ls` shows it. */
export interface PodEndpoint {
  readonly endpoint: ObservedEndpoint;
  readonly row: EndpointRow;
}

/** The endpoints of pods of this node. */
export const podEndpoints = onceFor((inventory: Inventory): readonly PodEndpoint[] =>
  endpointRows(inventory)
    .filter((row) => row.namespace !== undefined && row.owner !== 'node' && !row.remote)
    .flatMap((row) => {
      const endpoint = findById(inventory.endpoints, row.id);
      return endpoint === undefined ? [] : { endpoint, row };
    }),
);

/** Those of them that doctor is to diagnose. */
export function selectedPods(snapshot: Snapshot): readonly PodEndpoint[] {
  return podEndpoints(known(snapshot.inventory)).filter(({ row }) => isSelected(snapshot, row.id));
}

/** Names an endpoint by its short id, and its pod or else its container if known. */
export function describeEndpoint({ id, pod, container }: EndpointRow): string {
  if (pod !== undefined) return `${shortGuid(id)} (pod ${pod})`;
  return container === undefined
    ? shortGuid(id)
    : `${shortGuid(id)} (container ${shortContainer(container)})`;
}

/** The subject of a diagnosis of an endpoint, and the command that shows it. */
export function showEndpoint(row: EndpointRow) {
  return { subjects: [describeEndpoint(row)], see: `win-hcn show endpoint ${shortGuid(row.id)}` };
}
