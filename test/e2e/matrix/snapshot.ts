import type { Node } from '../node.ts';

/** Everything on a node that somebody can lose or leave: each object by its kind and id, as text. */
export type Snapshot = ReadonlyMap<string, string>;

/** `except` are ids of objects that may be there or not. */
export function snapshot(node: Node, except: readonly string[] = []): Snapshot {
  const { networks, endpoints, namespaces, loadBalancers, routes } = node.hns.dump();
  const entries = Object.entries({ networks, endpoints, namespaces, loadBalancers, routes }).flatMap(
    ([kind, documents]) =>
      documents
        .filter(({ ID }) => !except.includes(String(ID)))
        .map((document) => [`${kind} ${document['ID']}`, withoutResources(document, except)] as const),
  );
  const leases = [...node.ipam.leases].map(([holder, address]) => [`lease of ${holder}`, address] as const);
  return new Map([...entries, ...leases]);
}

function withoutResources(document: object, except: readonly string[]): string {
  return JSON.stringify(document, (key, value) => {
    if (key !== 'Resources' || !Array.isArray(value)) return value;
    const resources = value as readonly { readonly Data: { readonly Id: string } }[];
    const others = resources.filter(({ Data }) => !except.includes(Data.Id));
    return others.length === 0 ? undefined : others;
  });
}

/** What is not as it was, a line each. */
export function differences(before: Snapshot, after: Snapshot): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) return [];
    if (was === undefined) return [`${key} was left: ${is}`];
    return [is === undefined ? `${key} is gone: ${was}` : `${key} changed: ${was} -> ${is}`];
  });
}
