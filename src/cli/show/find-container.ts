import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { type EndpointDetail, endpointDetail, endpointRows, podOf } from '../inventory/endpoint-row.ts';
import { type NamespaceRow, namespaceRow } from '../inventory/object-rows.ts';
import { podsNamed, uniqueContainers } from '../inventory/pods.ts';
import { findByKey, type Search } from '../inventory/resolve-object.ts';

/** A container: HCN does not have pods. */
export interface ContainerSubject {
  readonly kind: 'container';
  /** The pod, as `namespace/name`; absent if unknown. */
  readonly pod?: string;
  readonly container: string;
  /** Other containers of the pod, of which HCN has objects: earlier sandboxes. Absent without any. */
  readonly otherContainers?: readonly string[];
  readonly namespace?: NamespaceRow;
  /** Those of the container, and all others in its namespace. */
  readonly endpoints: readonly EndpointDetail[];
}

/** A pod's container, and the documents of its endpoints. */
export interface Pod {
  readonly container: string;
  /** Absent if unknown. */
  readonly name?: string;
  readonly subject: ContainerSubject;
  /** At least one. */
  readonly endpoints: readonly ObservedEndpoint[];
}

/** Finds a pod as `show pod` does. A pod without endpoints is a problem. */
export function findPod(key: string, inventory: Inventory): Search<Pod> {
  const search = findContainer(key, inventory);
  if ('problem' in search) return search;
  const { found: subject } = search;
  const { container, pod } = subject;
  const endpoints = inventory.endpoints.filter(({ ID }) => subject.endpoints.some(({ id }) => id === ID));
  if (endpoints.length > 0)
    return { found: { container, ...(pod !== undefined && { name: pod }), subject, endpoints } };
  const named = pod === undefined ? `container ${container}` : `pod ${pod}, container ${container},`;
  return { problem: `${named} has no endpoint`, fix: 'It has no network: recreate the pod' };
}

/** Finds a container by its ID, the name of its pod, or a prefix of its ID of at least `prefix` characters, in this order. */
export function findContainer(key: string, inventory: Inventory, prefix = 1): Search<ContainerSubject> {
  const ids = uniqueContainers(inventory);
  const named = ids.some((id) => isSameId(id, key)) ? [] : podsNamed(key, inventory);
  const [first, ...others] = named;
  if (others.length > 0)
    return {
      problem: `"${key}" matches ${named.length} pods: add the namespace (${named.map(({ name }) => name).join(', ')})`,
      isAmbiguous: true,
    };
  if (first !== undefined) return { found: subjectOf(first.containers[0], inventory) };
  const containers = ids.map((id) => ({ id }));
  const search = findByKey('pod', key, containers, prefix);
  return 'problem' in search
    ? { ...search, problem: `${search.problem}${unknownPods(key, inventory)}` }
    : { found: subjectOf(search.found.id, inventory) };
}

/** Whether two IDs of containers are equal: HCN has them in lower case, names of endpoints as the runtime wrote them. */
export function isSameId(id: string | undefined, other: string): boolean {
  return id?.toLowerCase() === other.toLowerCase();
}

/** How many containers may be of the pod with this name; empty for a key that may be an ID. */
export function unknownPods(key: string, inventory: Inventory): string {
  if (inventory.pods === undefined || /^[0-9a-f-]{4,}$/i.test(key)) return '';
  const unknown = uniqueContainers(inventory).filter((id) => podOf(id, inventory) === undefined);
  if (unknown.length === 0) return '';
  return unknown.length === 1
    ? '; the pod of 1 container is unknown'
    : `; the pods of ${unknown.length} containers are unknown`;
}

function subjectOf(container: string, inventory: Inventory): ContainerSubject {
  const rows = endpointRows(inventory);
  const own = rows.filter((row) => isSameId(row.container, container));
  const namespace = inventory.namespaces.find(
    (one) =>
      containersIn(one).some((id) => isSameId(id, container)) || own.some((row) => row.namespace === one.ID),
  );
  const shown = rows.filter(
    (row) => own.includes(row) || (namespace !== undefined && row.namespace === namespace.ID),
  );
  const pod = podOf(container, inventory);
  const containers = pod === undefined ? [] : podsNamed(pod, inventory).flatMap((one) => one.containers);
  const others = containers.filter((id) => !isSameId(id, container));
  return {
    kind: 'container',
    ...(pod !== undefined && { pod }),
    container,
    ...(others.length > 0 && { otherContainers: others }),
    ...(namespace !== undefined && { namespace: namespaceRow(namespace, inventory) }),
    endpoints: inventory.endpoints
      .filter(({ ID }) => shown.some(({ id }) => id === ID))
      .map((endpoint) => endpointDetail(endpoint, inventory)),
  };
}
