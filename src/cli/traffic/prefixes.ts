import { canonicalPrefix, contains, type Prefix, parsePrefix, withLength } from '../../net/prefix.ts';

/** Whether a prefix, or an address, has a canonical address in it; false for a text that is neither. */
export function isIn(item: string, address: string): boolean {
  const prefix = read(item);
  return prefix !== undefined && contains(prefix, address);
}

/** The longest of some prefixes and addresses that have a canonical address in them, the first of those that are as long. */
export function mostExact<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  address: string,
): T | undefined {
  return items
    .filter((item) => isIn(textOf(item), address))
    .toSorted((one, other) => lengthOf(textOf(other)) - lengthOf(textOf(one)))[0];
}

function lengthOf(item: string): number {
  return read(item)?.length ?? -1;
}

function read(item: string): Prefix | undefined {
  const canonical = canonicalPrefix(item);
  return canonical === undefined ? undefined : parsePrefix(withLength(canonical));
}
