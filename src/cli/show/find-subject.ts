import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { parseAddress } from '../../net/address.ts';
import { type EndpointRow, endpointDetail, endpointRow, endpointRows } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { namespaceRow } from '../inventory/namespace-row.ts';
import { networkRow, networkRows } from '../inventory/network-row.ts';
import { findByKey, type Search } from './find-by-key.ts';
import type { ContainerSubject, Subject, SubjectKind } from './subject.ts';

/** Finds the subject of a kind with this key. In HCN a pod is its containers. */
export function findSubject(kind: SubjectKind, key: string, inventory: Inventory): Search<Subject> {
  switch (kind) {
    case 'pod':
    case 'container':
      return findContainer(kind, key, inventory);
    case 'ip':
      return findAddress(key, inventory);
    case 'endpoint':
      return findEndpoint(key, inventory);
    case 'namespace':
      return findNamespace(key, inventory);
    case 'network':
      return findNetwork(key, inventory);
    case 'loadbalancer':
      return findLoadBalancer(key, inventory);
  }
}

/** A pod's container, and the documents of its endpoints. */
export interface Pod {
  readonly container: string;
  readonly subject: ContainerSubject;
  /** At least one. */
  readonly endpoints: readonly ObservedEndpoint[];
}

/** Finds a pod as `show pod` does. A pod without endpoints is a problem. */
export function findPod(key: string, inventory: Inventory): Search<Pod> {
  const search = findContainer('pod', key, inventory);
  if ('problem' in search) return search;
  const { found: subject } = search;
  const { container } = subject;
  const ids = new Set(subject.endpoints.map(({ id }) => id));
  const endpoints = inventory.endpoints.filter(({ ID }) => ids.has(ID));
  return endpoints.length === 0
    ? { problem: `container ${container} has no endpoint` }
    : { found: { container, subject, endpoints } };
}

/** Finds a container with its endpoints and all others in its namespace. */
function findContainer(
  kind: 'pod' | 'container',
  key: string,
  inventory: Inventory,
): Search<ContainerSubject> {
  const rows = endpointRows(inventory);
  const ids = [
    ...rows.flatMap(({ container }) => container ?? []),
    ...inventory.namespaces.flatMap(containersIn),
  ];
  const search = findByKey(
    kind,
    key,
    ids.filter(isFirst).map((id) => ({ value: id, id, names: [] })),
  );
  if ('problem' in search) return search;
  const { found: container } = search;
  const isContainer = (id: string | undefined) => id?.toLowerCase() === container.toLowerCase();
  const own = rows.filter((row) => isContainer(row.container));
  const namespace = inventory.namespaces.find(
    (one) => containersIn(one).some(isContainer) || own.some((row) => row.namespace === one.ID),
  );
  const isShown = (row: EndpointRow) =>
    own.includes(row) || (namespace !== undefined && row.namespace === namespace.ID);
  const shown = new Set(rows.filter(isShown).map(({ id }) => id));
  return {
    found: {
      kind: 'container',
      container,
      ...(namespace !== undefined && { namespace: namespaceRow(namespace, inventory) }),
      endpoints: inventory.endpoints
        .filter(({ ID }) => shown.has(ID))
        .map((endpoint) => endpointDetail(endpoint, inventory)),
    },
  };
}

/** Ids from HCN are in lower case, those in endpoint names as the runtime wrote them. */
function isFirst(id: string, index: number, ids: readonly string[]): boolean {
  return ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) === index;
}

function findAddress(key: string, inventory: Inventory): Search<Subject> {
  const address = parseAddress(key) ?? key;
  const endpoints = inventory.endpoints
    .filter(({ IpConfigurations = [] }) => IpConfigurations.some(({ IpAddress }) => IpAddress === address))
    .map((endpoint) => endpointDetail(endpoint, inventory));
  const loadBalancers = loadBalancerRows(inventory).filter(
    ({ frontends, sourceVIP }) => frontends.includes(address) || sourceVIP === address,
  );
  const networks = networkRows(inventory).filter(({ subnets }) =>
    subnets.some(({ gateway }) => gateway === address),
  );
  return endpoints.length + loadBalancers.length + networks.length === 0
    ? { problem: `HCN has no object with address ${address}` }
    : { found: { kind: 'ip', address, endpoints, loadBalancers, networks } };
}

function findEndpoint(key: string, inventory: Inventory): Search<Subject> {
  const objects = inventory.endpoints.map((value) => ({ value, id: value.ID, names: [value.Name] }));
  const search = findByKey('endpoint', key, objects);
  return 'problem' in search
    ? search
    : { found: { kind: 'endpoint', endpoint: endpointDetail(search.found, inventory) } };
}

function findNamespace(key: string, inventory: Inventory): Search<Subject> {
  const objects = inventory.namespaces.map((value) => ({ value, id: value.ID ?? '', names: [] }));
  const search = findByKey('namespace', key, objects);
  if ('problem' in search) return search;
  const { found } = search;
  const endpoints = rowsWhere(inventory, (endpoint) => endpoint.HostComputeNamespace === found.ID);
  return { found: { kind: 'namespace', namespace: namespaceRow(found, inventory), endpoints } };
}

function findNetwork(key: string, inventory: Inventory): Search<Subject> {
  const objects = inventory.networks.map((value) => ({ value, id: value.ID, names: [value.Name] }));
  const search = findByKey('network', key, objects);
  if ('problem' in search) return search;
  const { found } = search;
  const endpoints = rowsWhere(inventory, (endpoint) => endpoint.HostComputeNetwork === found.ID);
  const { Policies: policies = [] } = found;
  return { found: { kind: 'network', network: networkRow(found, inventory), policies, endpoints } };
}

/** Finds a load balancer by its id, or by the name in the file that win-hcn created it from. */
function findLoadBalancer(key: string, inventory: Inventory): Search<Subject> {
  const rows = loadBalancerRows(inventory);
  const named = rows.find(({ id }) => id === loadBalancerId(key));
  const objects = rows.map((value) => ({ value, id: value.id, names: [] }));
  const search = named === undefined ? findByKey('load balancer', key, objects) : { found: named };
  if ('problem' in search) return search;
  const { found } = search;
  const endpoints = rowsWhere(inventory, ({ ID }) => found.backends.some(({ id }) => id === ID));
  return { found: { kind: 'loadbalancer', loadBalancer: found, endpoints } };
}

function rowsWhere(
  inventory: Inventory,
  isShown: (endpoint: ObservedEndpoint) => boolean,
): readonly EndpointRow[] {
  return inventory.endpoints.filter(isShown).map((endpoint) => endpointRow(endpoint, inventory));
}
