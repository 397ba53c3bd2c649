import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { keyOf } from './picked.ts';

export const conditions = ['error', 'stale', 'remote'] as const;
/** What a person may want to see alone. */
export type Condition = (typeof conditions)[number];

export interface Filter {
  readonly search: string;
  /** Endpoints of any of these; all where there are none. */
  readonly only: readonly Condition[];
}

export function isOf(condition: Condition, { stale, health, remote }: GraphEndpoint): boolean {
  switch (condition) {
    case 'stale':
      return stale !== undefined;
    case 'error':
      return health !== 'ok';
    case 'remote':
      return remote;
  }
}

/** The keys of the endpoints, namespaces and load balancers that a filter leaves: those that match, and what they belong to. */
export function matching(graph: GraphData, { search, only }: Filter): ReadonlySet<string> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (texts: readonly (string | undefined)[]) => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const isFree = only.length === 0;
  const frontends = new Map(graph.loadBalancers.map((row) => [row.id, row.frontends.join(' ')]));
  const endpoints = graph.endpoints.filter(
    (endpoint) =>
      (isFree || only.some((condition) => isOf(condition, endpoint))) &&
      matches([...textsOf(endpoint), ...endpoint.loadBalancers.map((id) => frontends.get(id))]),
  );
  const found = new Set(endpoints.map(({ id }) => id));
  const isUsed = (others: readonly { readonly id: string }[]) => others.some(({ id }) => found.has(id));
  const namespaces = graph.namespaces.filter(
    (row) => isUsed(row.endpoints) || (isFree && matches([row.id, row.type, ...row.containers])),
  );
  const loadBalancers = graph.loadBalancers.filter(
    (row) => isUsed(row.backends) || (isFree && matches([row.id, ...row.frontends, ...row.ports])),
  );
  return new Set([
    ...endpoints.map(({ id }) => keyOf({ kind: 'endpoint', id })),
    ...namespaces.map(({ id }) => keyOf({ kind: 'namespace', id })),
    ...loadBalancers.map(({ id }) => keyOf({ kind: 'load balancer', id })),
  ]);
}

function textsOf(endpoint: GraphEndpoint): readonly (string | undefined)[] {
  const { id, name, container, addresses, macAddress, namespace, network, owner, state, health, stale } =
    endpoint;
  return [id, name, container, ...addresses, macAddress, namespace, network, owner, state, health, stale];
}
