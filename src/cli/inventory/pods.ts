import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { firstFew } from '../terminal/short-text.ts';
import { endpointRows, podOf } from './endpoint-row.ts';
import { findByKey, type Search } from './resolve-object.ts';

/** A container, with its namespaces, its endpoints and all others in these namespaces. */
type Pod = ReturnType<typeof podOfContainer>;

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

/**
 * The pods that have containers in HCN and a known name, sorted by name: `namespace/name`, or the name alone. A restarted pod may have
 * leftovers of earlier containers: its container is the running one, or else the one that was added last.
 */
export function namedPods(inventory: Inventory) {
  const used = endpointRows(inventory).filter(
    ({ namespace, leftover }) => namespace !== undefined && leftover === undefined,
  );
  const running = new Set(used.map(({ container }) => container?.toLowerCase()));
  const rankOf = (container: string) => {
    const id = container.toLowerCase();
    return `${running.has(id) ? 1 : 0} ${inventory.pods?.get(id)?.added}`;
  };
  const groups = Map.groupBy(uniqueContainers(inventory), (id) => podOf(id, inventory) ?? '');
  return [...groups]
    .flatMap(([name, containers]) => {
      const [container] = containers.toSorted((one, other) => (rankOf(one) < rankOf(other) ? 1 : -1));
      return name === '' || container === undefined ? [] : [{ name, container }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A pod's name with and without its namespace. */
export function keysOf(name: string): readonly [full: string, bare: string] {
  return [name, name.slice(name.indexOf('/') + 1)];
}

/** Finds a container as `findPod` does. A container without endpoints is a problem. */
export function findAttachedPod(key: string, inventory: Inventory): Search<Pod> {
  const search = findPod(key, inventory);
  if ('problem' in search || search.found.endpoints.length > 0) return search;
  const { name = key, container } = search.found;
  const without =
    inventory.unreadable === undefined ? 'no endpoint: recreate the pod' : 'no readable endpoint';
  return { problem: `pod ${name}, container ${container}, has ${without}`, isFound: true };
}

/**
 * Finds a container by its ID, the name of its pod, or a prefix of its ID of at least `prefix` characters, in this order. Ignores case.
 * In HCN a pod is its sandbox container.
 */
export function findPod(key: string, inventory: Inventory, prefix = 1): Search<Pod> {
  const wanted = key.toLowerCase();
  const ids = uniqueContainers(inventory);
  const isId = ids.some((id) => id.toLowerCase() === wanted);
  const named = isId
    ? []
    : namedPods(inventory).filter(({ name }) => keysOf(name.toLowerCase()).includes(wanted));
  const [first] = named;
  if (first !== undefined && named.length > 1) {
    const names = firstFew(named.map(({ name }) => name));
    return {
      problem: `"${key}" matches ${named.length} pods: add the namespace (${names})`,
      isAmbiguous: true,
    };
  }
  if (first !== undefined) return { found: podOfContainer(first.container, inventory) };
  const containers = ids.map((id) => ({ id }));
  const search = findByKey('pod', key, containers, prefix);
  if ('found' in search) return { found: podOfContainer(search.found.id, inventory) };
  return search.isAmbiguous ? search : { problem: `${search.problem}, or its name is unknown` };
}

function podOfContainer(container: string, inventory: Inventory) {
  const isContainer = (id: string | undefined) => id?.toLowerCase() === container.toLowerCase();
  const rows = endpointRows(inventory);
  const own = rows.filter((row) => isContainer(row.container));
  const namespaces = inventory.namespaces.filter(
    (one) => containersIn(one).some(isContainer) || own.some(({ namespace }) => namespace === one.ID),
  );
  const shown = rows.filter((row) => own.includes(row) || namespaces.some(({ ID }) => ID === row.namespace));
  const name = podOf(container, inventory);
  return {
    container,
    ...(name !== undefined && { name }),
    namespaces,
    endpoints: inventory.endpoints.filter(({ ID }) => shown.some(({ id }) => id === ID)),
  };
}
