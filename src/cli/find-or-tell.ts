import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Inventory } from './inventory/inventory.ts';
import { type NamespaceRow, namespaceRow } from './inventory/namespace-row.ts';
import { printable } from './printable.ts';
import { exitCode, type Session } from './session.ts';
import { findByKey, type Keyed } from './show/find-by-key.ts';

type What = 'network' | 'endpoint' | 'namespace' | 'load balancer';

/** The one object that a key is for; for undefined it is told why there is none, and the command's end is said. */
export function resolveObject<T>(
  what: What,
  key: string,
  objects: readonly Keyed<T>[],
  session: Session,
): T | undefined {
  const search = findByKey(what, key, objects);
  if ('found' in search) return search.found;
  session.printStderr(
    `win-hcn: ${printable(search.problem)}. win-hcn ls ${what.replace(' ', '')}s shows those there are.`,
  );
  session.setExitCode(exitCode.problemFound);
  return undefined;
}

/** The endpoint of an id or a name, as `resolveObject`. */
export function findEndpoint(
  key: string,
  { endpoints }: Inventory,
  session: Session,
): ObservedEndpoint | undefined {
  const objects = endpoints.map((value) => ({ value, id: value.ID, names: [value.Name] }));
  return resolveObject('endpoint', key, objects, session);
}

/** The namespace of an id, as `resolveObject`. */
export function findNamespace(key: string, inventory: Inventory, session: Session): NamespaceRow | undefined {
  const rows = inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
  return resolveObject(
    'namespace',
    key,
    rows.map((value) => ({ value, id: value.id, names: [] })),
    session,
  );
}
