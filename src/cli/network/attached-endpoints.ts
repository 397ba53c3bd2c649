import type { ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { countText } from '../terminal/short-text.ts';

/** The endpoints on a network that keep it from being deleted, by kind. */
export interface AttachedEndpoints {
  readonly pods: readonly EndpointRow[];
  readonly leftovers: readonly EndpointRow[];
  readonly remote: readonly EndpointRow[];
  readonly others: readonly EndpointRow[];
}

/** The endpoints on a network except for those of the node, by kind. */
export function attachedEndpoints(
  { ID }: Pick<ObservedNetwork, 'ID'>,
  inventory: Inventory,
): AttachedEndpoints {
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === ID)
    .map((endpoint) => endpointRow(endpoint, inventory))
    .filter(({ owner }) => owner !== 'node');
  const { pods = [], leftovers = [], remote = [], others = [] } = Object.groupBy(rows, kindOf);
  return { pods, leftovers, remote, others };
}

function kindOf({ stale, remote, namespace }: EndpointRow): keyof AttachedEndpoints {
  if (stale !== undefined) return 'leftovers';
  if (remote) return 'remote';
  return namespace === undefined ? 'others' : 'pods';
}

/** `1 pod endpoint, 2 leftovers and 1 other endpoint`; empty without endpoints. */
export function countAttached({ pods, leftovers, remote, others }: AttachedEndpoints): string {
  const counts = [
    countOf(pods, 'pod endpoint'),
    countOf(leftovers, 'leftover'),
    countOf(remote, 'remote endpoint'),
    countOf(others, 'other endpoint'),
  ].flat();
  const last = counts.at(-1) ?? '';
  return counts.length < 2 ? last : `${counts.slice(0, -1).join(', ')} and ${last}`;
}

function countOf(rows: readonly EndpointRow[], noun: string): readonly string[] {
  return rows.length === 0 ? [] : [countText(rows.length, noun)];
}
