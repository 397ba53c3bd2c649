import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import {
  type EndpointDetail,
  type EndpointRow,
  endpointDetail,
  endpointRows,
} from '../inventory/endpoint-row.ts';
import { type NamespaceRow, namespaceRow } from '../inventory/object-rows.ts';
import { uniqueContainers } from '../inventory/pods/container-ids.ts';
import { podsNamed } from '../inventory/pods/pods-named.ts';
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
  const search = findContainer('pod', key, inventory);
  if ('problem' in search) return search;
  const { found: subject } = search;
  const { container, pod } = subject;
  const ids = new Set(subject.endpoints.map(({ id }) => id));
  const endpoints = inventory.endpoints.filter(({ ID }) => ids.has(ID));
  return endpoints.length === 0
    ? {
        problem: `${pod === undefined ? '' : `pod ${pod}, `}container ${container}${pod === undefined ? '' : ','} has no endpoint`,
        fix: 'It has no network: recreate the pod',
      }
    : { found: { container, ...(pod !== undefined && { name: pod }), subject, endpoints } };
}

/**
 * Finds a container by its ID, the name of its pod, or a prefix of its ID of at least `prefix` characters, in this order. Returns it with
 * its endpoints and all others in its namespace.
 */
export function findContainer(
  kind: 'pod' | 'container',
  key: string,
  inventory: Inventory,
  prefix = 1,
): Search<ContainerSubject> {
  const ids = uniqueContainers(inventory);
  const named = ids.some((id) => id.toLowerCase() === key.toLowerCase()) ? [] : podsNamed(key, inventory);
  const [first, ...others] = named;
  if (others.length > 0)
    return {
      problem: `"${key}" matches ${named.length} pods: add the namespace (${named.map(({ name }) => name).join(', ')})`,
      isAmbiguous: true,
    };
  if (first !== undefined) return { found: subjectOf(first.containers[0], inventory) };
  const search = findByKey(kind, key, ids, (id) => [id], prefix);
  return 'problem' in search
    ? { ...search, problem: `${search.problem}${unknownPods(key, inventory)}` }
    : { found: subjectOf(search.found, inventory) };
}

/** How many containers may be of the pod with this name; empty for a key that may be an ID. */
export function unknownPods(key: string, inventory: Inventory): string {
  const { pods } = inventory;
  if (pods === undefined || /^[0-9a-f-]{4,}$/i.test(key)) return '';
  const unknown = uniqueContainers(inventory).filter((id) => !pods.has(id.toLowerCase()));
  if (unknown.length === 0) return '';
  return unknown.length === 1
    ? '; the pod of 1 container is unknown'
    : `; the pods of ${unknown.length} containers are unknown`;
}

function subjectOf(container: string, inventory: Inventory): ContainerSubject {
  const rows = endpointRows(inventory);
  const isContainer = (id: string | undefined) => id?.toLowerCase() === container.toLowerCase();
  const own = rows.filter((row) => isContainer(row.container));
  const namespace = inventory.namespaces.find(
    (one) => containersIn(one).some(isContainer) || own.some((row) => row.namespace === one.ID),
  );
  const isShown = (row: EndpointRow) =>
    own.includes(row) || (namespace !== undefined && row.namespace === namespace.ID);
  const shown = new Set(rows.filter(isShown).map(({ id }) => id));
  const pod = inventory.pods?.get(container.toLowerCase())?.name;
  const containers = pod === undefined ? [] : podsNamed(pod, inventory).flatMap((one) => one.containers);
  const others = containers.filter((id) => !isContainer(id));
  return {
    kind: 'container',
    ...(pod !== undefined && { pod }),
    container,
    ...(others.length > 0 && { otherContainers: others }),
    ...(namespace !== undefined && { namespace: namespaceRow(namespace, inventory) }),
    endpoints: inventory.endpoints
      .filter(({ ID }) => shown.has(ID))
      .map((endpoint) => endpointDetail(endpoint, inventory)),
  };
}
