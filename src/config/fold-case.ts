/** The keys and words a configuration may have at one place; generated from the schema. */
export interface Vocabulary {
  readonly keys?: Readonly<Record<string, Vocabulary>>;
  /** What an object has besides, by its `Type`. */
  readonly types?: Readonly<Record<string, Vocabulary>>;
  readonly items?: Vocabulary;
  readonly words?: readonly unknown[];
}

/**
 * A configuration with its keys and words in the schema's case: Go's decoders match keys without case, and so do the files
 * written for them. Null means absent, and of two keys the last one counts. What the schema does not know stays as it is.
 */
export function foldCase(value: unknown, { keys, types, items, words }: Vocabulary): unknown {
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => foldCase(item, items));
  if (typeof value === 'string' && words !== undefined) {
    return (
      words.find((word) => typeof word === 'string' && word.toLowerCase() === value.toLowerCase()) ?? value
    );
  }
  if (typeof value !== 'object' || value === null || keys === undefined) return value;
  const known = new Map(Object.keys(keys).map((key) => [key.toLowerCase(), key]));
  const folded = Object.entries(value).flatMap(([key, member]) => {
    const name = known.get(key.toLowerCase());
    const vocabulary = name === undefined ? undefined : keys[name];
    if (name === undefined || vocabulary === undefined) return [[key, member] as const];
    return member === null ? [] : [[name, foldCase(member, vocabulary)] as const];
  });
  const object: Readonly<Record<string, unknown>> = Object.fromEntries(folded);
  const type = object['Type'];
  const more = Object.entries(types ?? {}).find(([name]) => name === type)?.[1];
  return more === undefined ? object : foldCase(object, more);
}
