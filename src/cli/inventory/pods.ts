import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { endpointRows, podOf } from './endpoint-row.ts';

/** A pod that has containers in HCN, and a known name. */
export interface NamedPod {
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  /** The running container first, then those of earlier sandboxes with leftover objects. At least one. */
  readonly containers: readonly [string, ...string[]];
}

/** The IDs of the containers of endpoints and namespaces. IDs from HCN are in lower case, those in endpoint names as the runtime wrote them. */
export function uniqueContainers(inventory: Inventory): readonly string[] {
  const given = [
    ...endpointRows(inventory).flatMap(({ container }) => container ?? []),
    ...inventory.namespaces.flatMap(containersIn),
  ];
  const ids = new Map<string, string>();
  for (const id of given) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
  return [...ids.values()];
}

/** The pods that have containers in HCN and a known name, sorted by name. */
export function namedPods(inventory: Inventory): readonly NamedPod[] {
  const groups = Map.groupBy(uniqueContainers(inventory), (id) => podOf(id, inventory) ?? '');
  const rank = rankContainers(inventory);
  return [...groups]
    .flatMap(([name, containers]) => {
      const [first, ...others] = containers.toSorted(rank);
      return name === '' || first === undefined ? [] : [{ name, containers: [first, ...others] as const }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The pods with this name, `namespace/name` or the name alone. Ignores case. */
export function podsNamed(key: string, inventory: Inventory): readonly NamedPod[] {
  const wanted = key.toLowerCase();
  return namedPods(inventory).filter(({ name }) => keysOf(name).some((one) => one.toLowerCase() === wanted));
}

/** A pod's name with and without its namespace. */
export function keysOf(name: string): readonly [full: string, bare: string] {
  return [name, name.slice(name.indexOf('/') + 1)];
}

/**
 * Compares two containers of a pod: that with an endpoint in a namespace is first, then one with another endpoint, then the one that was
 * added last.
 */
function rankContainers(inventory: Inventory): (one: string, other: string) => number {
  const rows = endpointRows(inventory);
  const rankOf = (container: string) => {
    const own = rows.filter((row) => row.container?.toLowerCase() === container.toLowerCase());
    if (own.some((row) => row.namespace !== undefined && row.stale === undefined)) return 0;
    return own.length > 0 ? 1 : 2;
  };
  const addedOf = (container: string) => inventory.pods?.get(container.toLowerCase())?.added ?? '';
  return (one, other) => rankOf(one) - rankOf(other) || (addedOf(one) < addedOf(other) ? 1 : -1);
}
