import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** The member that identifies a list's elements. Elements of other lists are identified by their text, else by their index. */
const keyMembers: Readonly<Record<string, string>> = {
  '': 'call',
  Policies: 'Type',
  Subnets: 'IpAddressPrefix',
  IpConfigurations: 'IpAddress',
  Routes: 'DestinationPrefix',
};

/**
 * The paths at which two documents differ: `- ` only the peer sends it, `+ ` only win-hcn does, `~ ` both do with different values,
 * `order ` the same elements in another order. A member that only one document has counts as one difference.
 */
export function differences(theirs: unknown, ours: unknown, path = ''): readonly string[] {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const one = keyed(theirs, path);
    const other = keyed(ours, path);
    return [...compare(one, other, (key) => `${path}[${key}]`), ...orderOf(one, other, path)];
  }
  if (isObject(theirs) && isObject(ours)) {
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    return compare(new Map(Object.entries(theirs)), new Map(Object.entries(ours)), at);
  }
  return isDeepStrictEqual(theirs, ours) ? [] : [`~ ${path}`];
}

type Members = ReadonlyMap<string, unknown>;

function compare(theirs: Members, ours: Members, at: (key: string) => string): readonly string[] {
  const both = [...theirs.keys()].filter((key) => ours.has(key));
  return [
    ...[...theirs.keys()].filter((key) => !ours.has(key)).map((key) => `- ${at(key)}`),
    ...[...ours.keys()].filter((key) => !theirs.has(key)).map((key) => `+ ${at(key)}`),
    ...both.flatMap((key) => differences(theirs.get(key), ours.get(key), at(key))),
  ];
}

function orderOf(theirs: Members, ours: Members, path: string): readonly string[] {
  const common = (one: Members, other: Members) => [...one.keys()].filter((key) => other.has(key));
  return isDeepStrictEqual(common(theirs, ours), common(ours, theirs)) ? [] : [`order ${path}`];
}

function keyed(list: readonly unknown[], path: string): Members {
  const member = keyMembers[path.split('.').at(-1) ?? ''] ?? '';
  const found = new Map<string, unknown>();
  for (const [index, element] of list.entries()) {
    const key = keyOf(element, member) ?? String(index);
    const count = [...found.keys()].filter((one) => one === key || one.startsWith(`${key}#`)).length;
    found.set(count === 0 ? key : `${key}#${count + 1}`, element);
  }
  return found;
}

function keyOf(element: unknown, member: string): string | undefined {
  if (typeof element === 'string') return element;
  const value = isObject(element) ? element[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
