import { CniError, code } from '../../cni/error.ts';
import { formatMac } from '../../net/mac.ts';
import { firstFew } from '../terminal/short-text.ts';

/** What a key can name: a document of HCN, by its ID, name or MAC address, or a row, also by a frontend. */
interface Keyed {
  readonly ID?: string;
  readonly id?: string;
  readonly Name?: string;
  readonly MacAddress?: string;
  readonly frontends?: readonly string[];
}

/** The result of a search: the object, or why none was found, or several (`isAmbiguous`), or why the one that `isFound` cannot be used. */
export type Search<T> =
  | { readonly found: T }
  | { readonly problem: string; readonly isAmbiguous?: true; readonly isFound?: true };

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
    [idOf(one), one.Name ?? '', formatMac(one.MacAddress ?? ''), ...(one.frontends ?? [])].some(
      (text) => normalized(text) === wanted,
    );
  const isPrefixOf = (one: T) => wanted.length >= prefix && normalized(idOf(one)).startsWith(wanted);
  const candidates = wanted === '' ? [] : objects;
  const exact = candidates.filter(isExact);
  const matches = exact.length > 0 ? exact : candidates.filter(isPrefixOf);
  const [only, ...others] = matches;
  if (only === undefined) return { problem: `HCN has no ${kind} "${key}"` };
  if (others.length === 0) return { found: only };
  const ids = firstFew(matches.map(idOf));
  return {
    problem: `"${key}" matches ${matches.length} ${kind}s: use a longer part of the id (${ids})`,
    isAmbiguous: true,
  };
}

/** The one object that a key on the command line stands for. Throws CniError if there is none, or more than one. */
export function resolveObject<T extends Keyed>(
  kind: 'network' | 'endpoint' | 'namespace' | 'load balancer',
  key: string,
  objects: readonly T[],
): T {
  return foundIn(findByKey(kind, key, objects));
}

/** What a search found. Throws CniError if there is nothing, or more than one object. */
export function foundIn<T>(search: Search<T>): T {
  if ('found' in search) return search.found;
  const next = search.isFound ? '' : ' Run win-hcn ls --remote to list all objects.';
  throw new CniError(code.hcnFailure, `${search.problem}.${next}`);
}
