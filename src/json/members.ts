/** A JSON object with unread members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Go's decoder allows 10,000. */
export const maximumDepth = 1000;

/** Whether a value has more than `depth` levels. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached > depth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/**
 * Parses JSON of at most 1000 levels, and leaves out members named `toString` and `valueOf`: JavaScript would call them to convert an
 * object to a text or a number. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, maximumDepth))
    throw new SyntaxError(`JSON is nested deeper than ${maximumDepth} levels`);
  const isUsed = (key: string) => key !== 'toString' && key !== 'valueOf';
  return /toString|valueOf|\\u/.test(text)
    ? JSON.parse(text, (key, member: unknown) => (isUsed(key) ? member : undefined))
    : value;
}

/** Parses a JSON object; an empty one if the text is something else. */
export function parseObject(text: string): JsonObject {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The same object with keys in lower case, because Go's decoder ignores the case of keys. Of two equal keys the last one counts. */
export function foldKeys(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key.toLowerCase(), value]));
}

/** The types that a member is read as, named as in error messages. */
interface JsonTypes {
  'a string': string;
  'a number': number;
  'an integer': number;
  'true or false': boolean;
  'a list': readonly unknown[];
  'a list of strings': readonly string[];
  'an object': JsonObject;
}

const isOf: { readonly [T in keyof JsonTypes]: (value: unknown) => value is JsonTypes[T] } = {
  'a string': (value) => typeof value === 'string',
  'a number': (value) => typeof value === 'number',
  'an integer': (value): value is number => Number.isInteger(value),
  'true or false': (value) => typeof value === 'boolean',
  'a list': Array.isArray,
  'a list of strings': (value): value is readonly string[] =>
    Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'an object': isObject,
};

/** How errors about members are reported. */
export interface JsonFormat {
  /** The error for a value of the wrong type. `path` is as in `ips[0].address`, empty for the document itself. */
  readonly refuse: (path: string, found: unknown, expected: string) => Error;
  /** Whether a value of the wrong type counts as absent. Default: it throws the error of `refuse`. */
  readonly ignores?: boolean;
  /** Whether the case of keys is ignored; `Members` then has all keys in lower case. */
  readonly foldsKeys?: boolean;
}

/**
 * The members of a JSON object. A member that is null counts as absent; one of the wrong type throws the format's error, or counts as
 * absent if the format ignores it.
 */
export interface Members {
  readonly json: JsonObject;
  /** Undefined if absent. */
  find<T extends keyof JsonTypes>(key: string, type: T): JsonTypes[T] | undefined;
  /** Undefined if absent. A wrong type throws, even if the format ignores it elsewhere. */
  findExactly<T extends keyof JsonTypes>(key: string, type: T): JsonTypes[T] | undefined;
  /** Throws if absent. */
  read<T extends keyof JsonTypes>(key: string, type: T): JsonTypes[T];
  /** The members of an object in this one; none if absent. */
  object(key: string): Members;
  /** What `readItem` returns for each object of a list; none if absent. */
  findList<T>(key: string, readItem: (item: Members) => T): readonly T[];
  /** Like `findList`; throws if absent. */
  readList<T>(key: string, readItem: (item: Members) => T): readonly T[];
  /** The error for a member that has the right type and a wrong value. */
  refusal(key: string, expected: string): Error;
  /** Treats a member that has the right type and a wrong value as one of the wrong type. */
  reject(key: string, expected: string): undefined;
}

/** Reads a JSON object, which `path` names in errors. */
export function readMembers(value: unknown, path: string, format: JsonFormat): Members {
  if (!isObject(value)) throw format.refuse(path, value, 'an object');
  const json = format.foldsKeys ? foldKeys(value) : value;
  const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  const refusal: Members['refusal'] = (key, expected) => format.refuse(pathOf(key), json[key], expected);
  const reject: Members['reject'] = (key, expected) => {
    if (!format.ignores) throw refusal(key, expected);
    return undefined;
  };
  const find: Members['find'] = (key, type) => {
    const member = json[key] ?? undefined;
    return member === undefined || isOf[type](member) ? member : reject(key, type);
  };
  const read: Members['read'] = (key, type) => {
    const member = find(key, type);
    if (member === undefined) throw refusal(key, type);
    return member;
  };
  const each = <T>(key: string, items: readonly unknown[], readItem: (item: Members) => T): readonly T[] =>
    items.flatMap((item, index) => {
      const itemKey = `${key}[${index}]`;
      if (!isObject(item) && format.ignores) return [];
      return [readItem(readMembers(item, pathOf(itemKey), format))];
    });
  return {
    json,
    find,
    findExactly: (key, type) => {
      const member = find(key, type);
      if (member === undefined && (json[key] ?? undefined) !== undefined) throw refusal(key, type);
      return member;
    },
    read,
    object: (key) => readMembers(find(key, 'an object') ?? {}, pathOf(key), format),
    findList: (key, readItem) => each(key, find(key, 'a list') ?? [], readItem),
    readList: (key, readItem) => each(key, read(key, 'a list'), readItem),
    refusal,
    reject,
  };
}
