import type { GraphEndpoint } from '../graph-data.ts';
import { keyOf } from './links.ts';
import type { PageGraph } from './page-graph.ts';

export const conditions = ['error', 'leftover', 'remote'] as const;
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
    case 'leftover':
      return stale !== undefined;
    case 'error':
      return health !== 'ok';
    case 'remote':
      return remote;
  }
}

/** The words of a search, in lower case. */
export function wordsIn(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether texts contain all words. */
export function matchesAll(words: readonly string[], texts: readonly (string | undefined)[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The keys of the networks, endpoints and load balancers that a filter shows: all matches, and the objects related to them. */
export function applyFilter(graph: PageGraph, filter: Filter): ReadonlySet<string> {
  const words = wordsIn(filter.search);
  const anyCondition = filter.conditions.length === 0;
  const services = new Map(graph.loadBalancers.map((row) => [row.id, `${row.title} ${row.frontends}`]));
  const endpoints = graph.endpoints.filter(
    (endpoint) =>
      (anyCondition || filter.conditions.some((condition) => hasCondition(condition, endpoint))) &&
      matchesAll(words, [...searchTexts(endpoint), ...endpoint.loadBalancers.map((id) => services.get(id))]),
  );
  const shown = new Set(endpoints.map(({ id }) => id));
  const shownNetworks = new Set(endpoints.map(({ networkId }) => networkId));
  const networks = graph.networks.filter(
    ({ id, name, type, adapter, subnets }) =>
      anyCondition && matchesAll(words, [id, name, type, adapter, ...subnets.map(({ subnet }) => subnet)]),
  );
  const loadBalancers = graph.loadBalancers.filter(
    ({ ids, title, name, frontends, ports, backends }) =>
      backends.some(({ id }) => shown.has(id)) ||
      (anyCondition && matchesAll(words, [...ids, title, name, ...frontends, ...ports])),
  );
  return new Set([
    ...[...shownNetworks, ...networks.map(({ id }) => id)].map((id) => keyOf({ kind: 'network', id })),
    ...endpoints.map(({ id }) => keyOf({ kind: 'endpoint', id })),
    ...loadBalancers.map(({ id }) => keyOf({ kind: 'load balancer', id })),
  ]);
}

/** How many of the keys are of endpoints. */
export function countEndpoints(keys: ReadonlySet<string>): number {
  return [...keys].filter((key) => key.startsWith('endpoint ')).length;
}

function searchTexts(endpoint: GraphEndpoint): readonly (string | undefined)[] {
  const { id, name, pod, container, addresses, macAddress, namespace, network, owner, state, health, stale } =
    endpoint;
  return [
    id,
    name,
    pod,
    container,
    ...addresses,
    macAddress,
    namespace,
    network,
    owner,
    state,
    health,
    stale,
  ];
}
