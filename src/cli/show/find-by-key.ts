import type { Inventory } from '../../model/inventory.ts';
import { printable } from '../printable.ts';
import { exitCode, type Session } from '../session.ts';

/** What a key stands for, or why that cannot be said. */
export type Search<T> = { readonly found: T } | { readonly problem: string };

/** An object that a key may be for. */
export interface Keyed<T> {
  readonly value: T;
  /** Texts that are the key as a whole. */
  readonly names: readonly string[];
  /** The id, of which the beginning is enough. */
  readonly id: string;
}

/** The one of some objects that a key is for: by id or name, else by the beginning of its id; case and braces do not matter. An empty key is for none. */
export function findByKey<T>(what: string, key: string, objects: readonly Keyed<T>[]): Search<T> {
  const wanted = plain(key);
  const isExact = ({ id, names }: Keyed<T>) => [id, ...names].some((text) => plain(text) === wanted);
  const some = wanted === '' ? [] : objects;
  const exact = some.filter(isExact);
  const matching = exact.length > 0 ? exact : some.filter(({ id }) => plain(id).startsWith(wanted));
  const [only, ...others] = matching;
  if (only === undefined) return { problem: `HCN has no ${what} "${key}"` };
  if (others.length === 0) return { found: only.value };
  const ids = matching.map(({ id }) => id).join(', ');
  return { problem: `"${key}" can be any of ${matching.length} ${what}s: give more of its id (${ids})` };
}

function plain(text: string): string {
  return text.replaceAll(/[{}]/g, '').toLowerCase();
}

/** That HCN has not what was asked for, as far as it could be read, and where to look. */
export function notFoundText(problem: string, { unreadable }: Inventory): string {
  const among = unreadable === undefined ? '' : ' among what can be read';
  return `win-hcn: ${printable(problem)}${among}. win-hcn ls -o wide --remote shows what there is.`;
}

/** Ends a command for which HCN has not what was asked for. */
export function reportNotFound(problem: string, inventory: Inventory, session: Session): void {
  session.printStderr(notFoundText(problem, inventory));
  session.setExitCode(exitCode.problemFound);
}
