import type { GraphData, GraphEndpoint } from '../graph-data.ts';

const kinds = ['network', 'endpoint', 'namespace', 'load balancer'] as const;

/** A reference to an object on the page. */
export interface ObjectRef {
  readonly kind: (typeof kinds)[number];
  readonly id: string;
}

/** A reference as the text of an attribute. */
export function keyOf({ kind, id }: ObjectRef): string {
  return `${kind} ${id}`;
}

/** Reads the text of an attribute; undefined if it is not a reference. */
export function parseKey(key: string): ObjectRef | undefined {
  const kind = kinds.find((one) => key.startsWith(`${one} `));
  return kind && { kind, id: key.slice(kind.length + 1) };
}

/** Two related objects. */
export interface Link {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
}

/** The links of an object: from load balancers to endpoints, and from those to namespaces. */
export function findLinks({ endpoints, loadBalancers }: GraphData, { kind, id }: ObjectRef): readonly Link[] {
  switch (kind) {
    case 'network':
      return [];
    case 'endpoint':
      return endpoints.filter((endpoint) => endpoint.id === id).flatMap(endpointLinks);
    case 'namespace':
      return endpoints.filter(({ namespace }) => namespace === id).flatMap(endpointLinks);
    case 'load balancer': {
      const backends =
        loadBalancers.find((one) => one.id === id)?.backends.map((backend) => backend.id) ?? [];
      return endpoints
        .filter((endpoint) => backends.includes(endpoint.id))
        .flatMap(endpointLinks)
        .filter(({ from }) => from.kind !== 'load balancer' || from.id === id);
    }
  }
}

function endpointLinks({ id, namespace, loadBalancers }: GraphEndpoint): readonly Link[] {
  const endpoint: ObjectRef = { kind: 'endpoint', id };
  return [
    ...loadBalancers.map((user) => ({ from: { kind: 'load balancer', id: user } as const, to: endpoint })),
    ...(namespace === undefined
      ? []
      : [{ from: endpoint, to: { kind: 'namespace', id: namespace } as const }]),
  ];
}
