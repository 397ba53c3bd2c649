import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { keyOf } from './links.ts';

export const conditions = ['error', 'stale', 'remote'] as const;
/** A condition of endpoints to filter by. */
export type Condition = (typeof conditions)[number];

export interface Filter {
  readonly search: string;
  /** Shows endpoints with any of these conditions; empty: all endpoints. */
  readonly conditions: readonly Condition[];
}

/** Whether an endpoint has a condition. */
export function hasCondition(condition: Condition, { stale, health, remote }: GraphEndpoint): boolean {
  switch (condition) {
    case 'stale':
      return stale !== undefined;
    case 'error':
      return health !== 'ok';
    case 'remote':
      return remote;
  }
}

/** The keys of the endpoints, namespaces and load balancers that a filter shows: all matches, and the objects related to them. */
export function applyFilter(graph: GraphData, filter: Filter): ReadonlySet<string> {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (texts: readonly (string | undefined)[]) => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const anyCondition = filter.conditions.length === 0;
  const frontends = new Map(graph.loadBalancers.map((row) => [row.id, row.frontends.join(' ')]));
  const endpoints = graph.endpoints.filter(
    (endpoint) =>
      (anyCondition || filter.conditions.some((condition) => hasCondition(condition, endpoint))) &&
      matches([...searchTexts(endpoint), ...endpoint.loadBalancers.map((id) => frontends.get(id))]),
  );
  const shown = new Set(endpoints.map(({ id }) => id));
  const hasShown = (others: readonly { readonly id: string }[]) => others.some(({ id }) => shown.has(id));
  const namespaces = graph.namespaces.filter(
    (row) => hasShown(row.endpoints) || (anyCondition && matches([row.id, row.type, ...row.containers])),
  );
  const loadBalancers = graph.loadBalancers.filter(
    (row) => hasShown(row.backends) || (anyCondition && matches([row.id, ...row.frontends, ...row.ports])),
  );
  return new Set([
    ...endpoints.map(({ id }) => keyOf({ kind: 'endpoint', id })),
    ...namespaces.map(({ id }) => keyOf({ kind: 'namespace', id })),
    ...loadBalancers.map(({ id }) => keyOf({ kind: 'load balancer', id })),
  ]);
}

function searchTexts(endpoint: GraphEndpoint): readonly (string | undefined)[] {
  const { id, name, container, addresses, macAddress, namespace, network, owner, state, health, stale } =
    endpoint;
  return [id, name, container, ...addresses, macAddress, namespace, network, owner, state, health, stale];
}
