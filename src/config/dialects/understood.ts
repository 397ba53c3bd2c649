import { isObject } from '../../json/members.ts';
import type { Vocabulary } from '../fold-case.ts';
import { escaped } from '../given-paths.ts';

export interface Understood {
  readonly value: unknown;
  /** JSON pointers of what was left out and says something. */
  readonly dropped: readonly string[];
}

/** What of a value its vocabulary knows, at every depth. */
export function understood(value: unknown, vocabulary: Vocabulary, path = ''): Understood {
  const { items } = vocabulary;
  if (Array.isArray(value) && items !== undefined) {
    const read = value.map((item: unknown, index) => understood(item, items, `${path}/${index}`));
    return { value: read.map((item) => item.value), dropped: read.flatMap(({ dropped }) => dropped) };
  }
  const keys = keysFor(value, vocabulary);
  if (!isObject(value) || keys === undefined) return { value, dropped: [] };
  const members = Object.entries(value).map(([key, member]) => {
    const known = keys.get(key.toLowerCase());
    const place = `${path}/${escaped(key)}`;
    const read = known === undefined ? undefined : understood(member, known, place);
    const dropped = read?.dropped ?? (saysNothing(member) ? [] : [place]);
    return { kept: read === undefined ? [] : [[key, read.value] as const], dropped };
  });
  return {
    value: Object.fromEntries(members.flatMap(({ kept }) => kept)),
    dropped: members.flatMap(({ dropped }) => dropped),
  };
}

/** What Go's decoders, and so the other plugins, take for absent. */
export function isNothing(member: unknown): boolean {
  return (
    member === undefined || member === null || member === '' || (Array.isArray(member) && member.length === 0)
  );
}

function saysNothing(member: unknown): boolean {
  return isNothing(member) || member === false;
}

/** By lower-case key; those of the object's `Type` come before those that every type has. */
function keysFor(
  value: unknown,
  { keys, types = {} }: Vocabulary,
): ReadonlyMap<string, Vocabulary> | undefined {
  if (!isObject(value) || keys === undefined) return undefined;
  const type = Object.entries(value).findLast(([key]) => key.toLowerCase() === 'type')?.[1];
  const ofType = Object.entries(types).find(
    ([name]) => typeof type === 'string' && name.toLowerCase() === type.toLowerCase(),
  )?.[1];
  const entries = [...Object.entries(keys), ...Object.entries(ofType?.keys ?? {})];
  return new Map(entries.map(([key, known]) => [key.toLowerCase(), known]));
}
