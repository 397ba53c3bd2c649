import type { GraphData } from '../graph-data.ts';
import type { Picked } from './picked.ts';

/** Two things that belong together. */
export interface Link {
  readonly from: Picked;
  readonly to: Picked;
}

/** The lines of what is picked: from load balancers to endpoints, and from endpoints to namespaces. */
export function linksOf(
  { endpoints, loadBalancers, namespaces }: GraphData,
  { kind, id }: Picked,
): readonly Link[] {
  const toEndpoint = (of: string, endpoint: string): Link => ({
    from: { kind: 'load balancer', id: of },
    to: { kind: 'endpoint', id: endpoint },
  });
  const toNamespace = (endpoint: string, of: string): Link => ({
    from: { kind: 'endpoint', id: endpoint },
    to: { kind: 'namespace', id: of },
  });
  switch (kind) {
    case 'network':
      return [];
    case 'endpoint': {
      const endpoint = endpoints.find((one) => one.id === id);
      const { loadBalancers: users = [], namespace } = endpoint ?? {};
      const exists = namespaces.some((one) => one.id === namespace);
      return [
        ...users.map((user) => toEndpoint(user, id)),
        ...(namespace !== undefined && exists ? [toNamespace(id, namespace)] : []),
      ];
    }
    case 'namespace':
      return endpoints
        .filter(({ namespace }) => namespace === id)
        .map((endpoint) => toNamespace(endpoint.id, id));
    case 'load balancer':
      return loadBalancers
        .filter((one) => one.id === id)
        .flatMap(({ backends }) => backends.map((backend) => toEndpoint(id, backend.id)));
  }
}
