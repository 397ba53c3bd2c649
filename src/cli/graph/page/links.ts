import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import type { Picked } from './picked.ts';

/** Two things that belong together. */
export interface Link {
  readonly from: Picked;
  readonly to: Picked;
}

/** The lines of what is picked: from load balancers to endpoints, and from those to namespaces. What is gone has none. */
export function linksOf({ endpoints, loadBalancers }: GraphData, { kind, id }: Picked): readonly Link[] {
  switch (kind) {
    case 'network':
      return [];
    case 'endpoint':
      return endpoints.filter((endpoint) => endpoint.id === id).flatMap(linksOfEndpoint);
    case 'namespace':
      return endpoints.filter(({ namespace }) => namespace === id).flatMap(linksOfEndpoint);
    case 'load balancer': {
      const backends =
        loadBalancers.find((one) => one.id === id)?.backends.map((backend) => backend.id) ?? [];
      return endpoints
        .filter((endpoint) => backends.includes(endpoint.id))
        .flatMap(linksOfEndpoint)
        .filter(({ from }) => from.kind !== 'load balancer' || from.id === id);
    }
  }
}

function linksOfEndpoint({ id, namespace, loadBalancers }: GraphEndpoint): readonly Link[] {
  const endpoint: Picked = { kind: 'endpoint', id };
  return [
    ...loadBalancers.map((user) => ({ from: { kind: 'load balancer', id: user } as const, to: endpoint })),
    ...(namespace === undefined
      ? []
      : [{ from: endpoint, to: { kind: 'namespace', id: namespace } as const }]),
  ];
}
