import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { formatMac } from '../../net/mac.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { type NamespaceRow, namespaceRow } from './object-rows.ts';

type ObjectKind = 'network' | 'endpoint' | 'namespace' | 'load balancer';

/** The one object that a key on the command line stands for; undefined, after reporting why and setting the exit code, otherwise. */
export function resolveObject<T>(
  kind: ObjectKind,
  key: string,
  objects: readonly T[],
  keysOf: KeysOf<T>,
  session: Session,
): T | undefined {
  const search = findByKey(kind, key, objects, keysOf);
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
  return resolveObject('endpoint', key, endpoints, documentKeys, session);
}

/** Resolves the id of a namespace, as `resolveObject` does. */
export function resolveNamespace(
  key: string,
  inventory: Inventory,
  session: Session,
): NamespaceRow | undefined {
  const rows = inventory.namespaces.map((namespace) => namespaceRow(namespace, inventory));
  return resolveObject('namespace', key, rows, rowKeys, session);
}

/** The result of a search: the object, or why none or several were found. */
export type Search<T> = { readonly found: T } | NotFound;

/** Why a search failed, and whether several objects match. */
export interface NotFound {
  readonly problem: string;
  /** What to do if HCN returned all objects. Default: list them. */
  readonly fix?: string;
  readonly isAmbiguous?: true;
}

/** Returns an object's id, of which a prefix is enough, and the names that a key must equal. */
type KeysOf<T> = (object: T) => readonly [id: string, ...names: string[]];

/** The keys of a document of HCN; an endpoint also has its MAC address. */
export function documentKeys({
  ID = '',
  Name = '',
  MacAddress = '',
}: {
  readonly ID?: Guid;
  readonly Name?: string;
  readonly MacAddress?: string;
}) {
  return [ID, Name, formatMac(MacAddress)] as const;
}

/** The key of a row, which has no name. */
export function rowKeys({ id }: { readonly id: string }) {
  return [id] as const;
}

/**
 * Finds the only object with this id or name, or else with an id that starts with a key of at least `prefix` characters. Ignores case and
 * braces. An empty key finds nothing.
 */
export function findByKey<T>(
  kind: string,
  key: string,
  objects: readonly T[],
  keysOf: KeysOf<T>,
  prefix = 1,
): Search<T> {
  const wanted = normalized(key);
  const candidates = wanted === '' ? [] : objects;
  const exact = candidates.filter((one) => keysOf(one).some((text) => normalized(text) === wanted));
  const isPrefixOf = (one: T) => wanted.length >= prefix && normalized(keysOf(one)[0]).startsWith(wanted);
  const matches = exact.length > 0 ? exact : candidates.filter(isPrefixOf);
  const [only, ...others] = matches;
  if (only === undefined) return { problem: `HCN has no ${kind} "${key}"` };
  if (others.length === 0) return { found: only };
  const ids = matches.map((one) => keysOf(one)[0]).join(', ');
  return {
    problem: `"${key}" matches ${matches.length} ${kind}s: use a longer part of the id (${ids})`,
    isAmbiguous: true,
  };
}

/** A key without case and braces, which all look-ups ignore. */
function normalized(text: string): string {
  return text.replaceAll(/[{}]/g, '').toLowerCase();
}

/** Returns the message for a failed search, with what to do. */
export function notFoundText({ problem, fix }: NotFound, { unreadable }: Inventory): string {
  const scope = unreadable === undefined ? '' : ' among the readable objects';
  const next = unreadable === undefined ? fix : undefined;
  return `win-hcn: ${printable(problem)}${scope}. ${next ?? 'List all objects with win-hcn ls -o wide --remote'}.`;
}

/** Ends a command whose search failed. */
export function reportNotFound(search: NotFound, inventory: Inventory, session: Session): void {
  session.printStderr(notFoundText(search, inventory));
  session.setExitCode(exitCode.problemFound);
}
