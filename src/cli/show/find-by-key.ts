import type { Inventory } from '../../model/inventory.ts';
import { printable } from '../output.ts';
import { exitCode, type Session } from '../session.ts';

/** The result of a search: the object, or why none or several were found. */
export type Search<T> = { readonly found: T } | { readonly problem: string };

/** An object that a key can identify. */
export interface Keyed<T> {
  readonly value: T;
  /** Texts that the key must equal. */
  readonly names: readonly string[];
  /** The id, of which a prefix is enough. */
  readonly id: string;
}

/**
 * Finds the only object with this id or name, or else with an id that starts with the key. Ignores case and braces. An empty key finds
 * nothing.
 */
export function findByKey<T>(kind: string, key: string, objects: readonly Keyed<T>[]): Search<T> {
  const wanted = normalized(key);
  const isExact = ({ id, names }: Keyed<T>) => [id, ...names].some((text) => normalized(text) === wanted);
  const candidates = wanted === '' ? [] : objects;
  const exact = candidates.filter(isExact);
  const matches = exact.length > 0 ? exact : candidates.filter(({ id }) => normalized(id).startsWith(wanted));
  const [only, ...others] = matches;
  if (only === undefined) return { problem: `HCN has no ${kind} "${key}"` };
  if (others.length === 0) return { found: only.value };
  const ids = matches.map(({ id }) => id).join(', ');
  return { problem: `"${key}" matches ${matches.length} ${kind}s: use a longer part of the id (${ids})` };
}

function normalized(text: string): string {
  return text.replaceAll(/[{}]/g, '').toLowerCase();
}

/** Returns the message for a failed search, with the command that lists all objects. */
export function notFoundText(problem: string, { unreadable }: Inventory): string {
  const scope = unreadable === undefined ? '' : ' among the readable objects';
  return `win-hcn: ${printable(problem)}${scope}. List all objects with win-hcn ls -o wide --remote.`;
}

/** Ends a command whose search failed. */
export function reportNotFound(problem: string, inventory: Inventory, session: Session): void {
  session.printStderr(notFoundText(problem, inventory));
  session.setExitCode(exitCode.problemFound);
}
