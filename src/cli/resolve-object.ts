import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Inventory } from '../model/inventory.ts';
import { type NamespaceRow, namespaceRow } from './inventory/object-rows.ts';
import { printable } from './output.ts';
import { exitCode, type Session } from './session.ts';
import { findByKey, type Keyed } from './show/find-by-key.ts';

type ObjectKind = 'network' | 'endpoint' | 'namespace' | 'load balancer';

/** The one object that a key on the command line stands for; undefined, after reporting why and setting the exit code, otherwise. */
export function resolveObject<T>(
  kind: ObjectKind,
  key: string,
  objects: readonly Keyed<T>[],
  session: Session,
): T | undefined {
  const search = findByKey(kind, key, objects);
  if ('found' in search) return search.found;
  session.printStderr(
    `win-hcn: ${printable(search.problem)}. Run win-hcn ls ${kind.replace(' ', '')}s to list ${kind}s.`,
  );
  session.setExitCode(exitCode.problemFound);
  return undefined;
}

/** Resolves the id or name of an endpoint, as `resolveObject` does. */
export function resolveEndpoint(
  key: string,
  { endpoints }: Inventory,
  session: Session,
): ObservedEndpoint | undefined {
  const objects = endpoints.map((value) => ({ value, id: value.ID, names: [value.Name] }));
  return resolveObject('endpoint', key, objects, session);
}

/** Resolves the id of a namespace, as `resolveObject` does. */
export function resolveNamespace(
  key: string,
  inventory: Inventory,
  session: Session,
): NamespaceRow | undefined {
  const objects = inventory.namespaces
    .map((namespace) => namespaceRow(namespace, inventory))
    .map((value) => ({ value, id: value.id, names: [] }));
  return resolveObject('namespace', key, objects, session);
}
