import { addressBytes, familyOf } from '../../net/address.ts';
import { contains, type Prefix, parsePrefix } from '../../net/prefix.ts';

/** Groups subnets that overlap; a group of one overlaps no other. Canonical prefixes are nested or disjoint, so sorting suffices. */
export function overlapGroups<T extends { readonly subnet: string }>(
  entries: readonly T[],
): readonly (readonly T[])[] {
  const groups: { readonly widest: Prefix; readonly entries: T[] }[] = [];
  for (const { entry, prefix } of sorted(entries)) {
    const last = groups.at(-1);
    if (last !== undefined && contains(last.widest, prefix.address)) last.entries.push(entry);
    else groups.push({ widest: prefix, entries: [entry] });
  }
  return groups.map((group) => group.entries);
}

function sorted<T extends { readonly subnet: string }>(entries: readonly T[]) {
  return entries
    .flatMap((entry) => {
      const prefix = parsePrefix(entry.subnet);
      return prefix === undefined ? [] : [{ entry, prefix, key: sortKey(prefix) }];
    })
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** A wider prefix sorts before those that it contains. */
function sortKey({ address, length }: Prefix): string {
  const digits = [...addressBytes(address), length].map((byte) => byte.toString(16).padStart(2, '0'));
  return [familyOf(address), ...digits].join('');
}
