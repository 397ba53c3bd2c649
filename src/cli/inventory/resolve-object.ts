import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { formatMac } from '../../net/mac.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { type NamespaceRow, namespaceRows } from './object-rows.ts';

/** What a key can name: a document of HCN, by its ID, name or MAC address, or a row. */
interface Keyed {
  readonly ID?: string;
  readonly id?: string;
  readonly Name?: string;
  readonly MacAddress?: string;
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

/**
 * Finds the only object with this key, or else with an ID that starts with a key of at least `prefix` characters. Ignores case and
 * braces. An empty key finds nothing.
 */
export function findByKey<T extends Keyed>(
  kind: string,
  key: string,
  objects: readonly T[],
  prefix = 1,
): Search<T> {
  const normalized = (text: string) => text.replaceAll(/[{}]/g, '').toLowerCase();
  const wanted = normalized(key);
  const idOf = ({ ID, id = ID ?? '' }: Keyed) => id;
  const isExact = (one: T) =>
    [idOf(one), one.Name ?? '', formatMac(one.MacAddress ?? '')].some((text) => normalized(text) === wanted);
  const isPrefixOf = (one: T) => wanted.length >= prefix && normalized(idOf(one)).startsWith(wanted);
  const candidates = wanted === '' ? [] : objects;
  const exact = candidates.filter(isExact);
  const matches = exact.length > 0 ? exact : candidates.filter(isPrefixOf);
  const [only, ...others] = matches;
  if (only === undefined) return { problem: `HCN has no ${kind} "${key}"` };
  if (others.length === 0) return { found: only };
  const ids = matches.map(idOf).join(', ');
  return {
    problem: `"${key}" matches ${matches.length} ${kind}s: use a longer part of the id (${ids})`,
    isAmbiguous: true,
  };
}

/** The one object that a key on the command line stands for; undefined, after reporting why and setting the exit code, otherwise. */
export function resolveObject<T extends Keyed>(
  kind: 'network' | 'endpoint' | 'namespace' | 'load balancer',
  key: string,
  objects: readonly T[],
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
  return resolveObject('endpoint', key, endpoints, session);
}

/** Resolves the id of a namespace, as `resolveObject` does. */
export function resolveNamespace(
  key: string,
  inventory: Inventory,
  session: Session,
): NamespaceRow | undefined {
  return resolveObject('namespace', key, namespaceRows(inventory), session);
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
