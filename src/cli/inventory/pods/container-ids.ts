import type { Inventory } from '../../../model/inventory.ts';
import { containersIn } from '../../../model/readiness.ts';
import { endpointRows } from '../endpoint-row.ts';

/** The IDs of the containers of endpoints and namespaces. IDs from HCN are in lower case, those in endpoint names as the runtime wrote them. */
export function uniqueContainers(inventory: Inventory): readonly string[] {
  const ids = new Map<string, string>();
  const given = [
    ...endpointRows(inventory).flatMap(({ container }) => container ?? []),
    ...inventory.namespaces.flatMap(containersIn),
  ];
  for (const id of given) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
  return [...ids.values()];
}
