import { isObject, type JsonObject } from '../json/members.ts';
import { escapeToken } from './source-paths.ts';

/** The keys and enum values that the schema has at one place of a configuration; generated from the schema. */
export interface KnownKeys {
  readonly keys?: Readonly<Record<string, KnownKeys>>;
  /** Further keys of an object, by its `Type`. */
  readonly types?: Readonly<Record<string, KnownKeys>>;
  readonly items?: KnownKeys;
  readonly values?: readonly unknown[];
}

/**
 * Returns a configuration with its keys and enum values in the schema's case: Go's decoders match keys without case, and
 * configurations are written for them. `null` means absent. If two keys match, the last one wins. Unknown keys are unchanged.
 */
export function normalizeCase(value: unknown, { keys, types, items, values }: KnownKeys): unknown {
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((item) => normalizeCase(item, items));
  }
  if (typeof value === 'string' && values !== undefined) {
    const sameText = (known: unknown) =>
      typeof known === 'string' && known.toLowerCase() === value.toLowerCase();
    return values.find(sameText) ?? value;
  }
  if (!isObject(value) || keys === undefined) return value;
  const entries = new Map(Object.entries(keys).map((entry) => [entry[0].toLowerCase(), entry]));
  const members = Object.entries(value).flatMap(([key, member]) => {
    const entry = entries.get(key.toLowerCase());
    if (entry === undefined) return [[key, member] as const];
    const [name, known] = entry;
    return member === null ? [] : [[name, normalizeCase(member, known)] as const];
  });
  const object: JsonObject = Object.fromEntries(members);
  const ofType = keysOfType(object, types);
  return ofType === undefined ? object : normalizeCase(object, ofType);
}

/** Returns a normalized value without its unknown keys, and the JSON pointers of the dropped keys that had a value. */
export function dropUnknownKeys(
  value: unknown,
  { keys, types, items }: KnownKeys,
  path = '',
): { readonly value: unknown; readonly dropped: readonly string[] } {
  if (Array.isArray(value) && items !== undefined) {
    const read = value.map((item: unknown, index) => dropUnknownKeys(item, items, `${path}/${index}`));
    return { value: read.map((item) => item.value), dropped: read.flatMap(({ dropped }) => dropped) };
  }
  if (!isObject(value) || keys === undefined) return { value, dropped: [] };
  const known = new Map(Object.entries({ ...keys, ...keysOfType(value, types)?.keys }));
  const members = Object.entries(value).map(([key, member]) => {
    const knownMember = known.get(key);
    const place = `${path}/${escapeToken(key)}`;
    if (knownMember === undefined) {
      return { kept: [], dropped: isEmpty(member) || member === false ? [] : [place] };
    }
    const read = dropUnknownKeys(member, knownMember, place);
    return { kept: [[key, read.value] as const], dropped: read.dropped };
  });
  return {
    value: Object.fromEntries(members.flatMap(({ kept }) => kept)),
    dropped: members.flatMap(({ dropped }) => dropped),
  };
}

function keysOfType({ Type }: JsonObject, types: KnownKeys['types'] = {}): KnownKeys | undefined {
  return new Map<unknown, KnownKeys>(Object.entries(types)).get(Type);
}

/** Whether Go's decoders, and so the replaced plugins, take a value as absent. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
