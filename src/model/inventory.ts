import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
  ObservedNetwork,
} from '../hcn/documents.ts';
import type { Guid, Kind } from '../hcn/guid.ts';

/** Every object of HCN, as it was returned. */
export interface Inventory {
  readonly networks: readonly ObservedNetwork[];
  readonly endpoints: readonly ObservedEndpoint[];
  readonly namespaces: readonly HostComputeNamespace[];
  readonly loadBalancers: readonly ObservedLoadBalancer[];
  /** Objects that are in none of the lists. Absent if there are none. */
  readonly unreadable?: readonly Unreadable[];
  /** The pods of containers, by container ID in lower case: HCN has none. Absent if they were not looked up. */
  readonly pods?: ReadonlyMap<string, KnownPod>;
}

/** Returns `read` with a cached result for each list, which must not change: a node can have thousands of objects. */
export function onceFor<List extends object, T>(read: (list: List) => T): (list: List) => T {
  const results = new WeakMap<List, { readonly value: T }>();
  return (list) => {
    const result = results.get(list) ?? { value: read(list) };
    results.set(list, result);
    return result.value;
  };
}

/** The index of the first object with each ID. */
const positions = onceFor(
  (objects: readonly { readonly ID?: Guid }[]) =>
    new Map(objects.map(({ ID }, index) => [ID, index] as const).toReversed()),
);

/** Returns the object with an ID; undefined if absent. */
export function findById<T extends { readonly ID?: Guid }>(
  objects: readonly T[],
  id: Guid | undefined,
): T | undefined {
  return id === undefined ? undefined : objects[positions(objects).get(id) ?? -1];
}

/** The pod of a container, as a record of its ADD names it. */
export interface KnownPod {
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  /** The time of the ADD, in ISO 8601. */
  readonly added: string;
}

/** An object that HCN lists, but that could not be queried or read. */
export interface Unreadable {
  readonly kind: Kind;
  readonly id: Guid;
  readonly error: Error;
}
