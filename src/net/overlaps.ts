import { addressBytes, familyOf } from './address.ts';
import { contains, formatPrefix, networkOf, overlaps, type Prefix, parsePrefix } from './prefix.ts';

/**
 * Groups subnets that overlap; a group of one overlaps no other. Omits invalid ones and default routes. Without host bits, subnets are nested
 * or disjoint, so sorting suffices: comparing each two of 1,000 takes half a second.
 */
export function overlapGroups<T extends { readonly subnet: string }>(
  entries: readonly T[],
): readonly (readonly T[])[] {
  const groups: { readonly widest: Prefix; readonly entries: T[] }[] = [];
  const sorted = entries
    .flatMap((entry) => {
      const prefix = parsePrefix(entry.subnet);
      return prefix && prefix.length > 0 ? { entry, prefix, key: sortKey(networkOf(prefix)) } : [];
    })
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  for (const { entry, prefix } of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && contains(last.widest, prefix.address)) last.entries.push(entry);
    else groups.push({ widest: prefix, entries: [entry] });
  }
  return groups.map((group) => group.entries);
}

/** A wider prefix sorts before those that it contains. */
function sortKey({ address, length }: Prefix): string {
  const digits = [...addressBytes(address), length].map((byte) => byte.toString(16).padStart(2, '0'));
  return familyOf(address) + digits.join('');
}

/** The first earlier subnet that each one overlaps, by its index, without host bits. */
export function earlierOverlaps(subnets: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const group of overlapGroups(subnets.map((subnet, at) => ({ subnet, at }))))
    for (const { subnet, at } of group) {
      const prefix = parsePrefix(subnet);
      const earlier = group.filter((other) => other.at < at).sort((one, other) => one.at - other.at);
      const first = earlier
        .flatMap((other) => parsePrefix(other.subnet) ?? [])
        .find((other) => prefix && overlaps(prefix, other));
      if (first !== undefined) found.set(at, formatPrefix(networkOf(first)));
    }
  return found;
}
