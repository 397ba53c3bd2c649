import { addressBytes } from './address.ts';
import { contains, isNested, networkOf, type Prefix, parsePrefix, withLength } from './prefix.ts';

/** A prefix of a list, and the narrowest other one that contains it. Of equal prefixes, the earlier one contains the later one. */
interface Nested {
  /** The index in the list. */
  readonly at: number;
  readonly prefix: Prefix;
  readonly outer: Nested | undefined;
}

/**
 * Sorts prefixes so that each follows those that contain it, in O(n log n): without host bits, prefixes are nested or disjoint, so each is
 * compared only to the one before and those that contain that one. Omits undefined ones.
 */
function nest(prefixes: readonly (Prefix | undefined)[]): readonly Nested[] {
  const sorted = prefixes
    .flatMap((prefix, at) => (prefix === undefined ? [] : { at, prefix, key: sortKey(networkOf(prefix)) }))
    .sort((one, other) => Buffer.compare(one.key, other.key));
  let last: Nested | undefined;
  return sorted.map(({ at, prefix }) => {
    let outer = last;
    while (outer !== undefined && !contains(outer.prefix, prefix.address)) outer = outer.outer;
    last = { at, prefix, outer };
    return last;
  });
}

/** A wider prefix sorts before those that it contains, IPv4 before IPv6. */
function sortKey({ address, length }: Prefix): Buffer {
  const bytes = addressBytes(address);
  return Buffer.from([bytes.length, ...bytes, length]);
}

/** Groups subnets that overlap; a group of one overlaps no other. Omits invalid ones and default routes. */
export function overlapGroups<T extends { readonly subnet: string }>(
  entries: readonly T[],
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (const { at, outer } of nest(entries.map(({ subnet }) => parseSubnet(subnet)))) {
    if (outer === undefined) groups.push([]);
    groups.at(-1)?.push(...entries.slice(at, at + 1));
  }
  return groups;
}

/** A prefix; undefined for a default route and for any other text. */
export function parseSubnet(text: string): Prefix | undefined {
  const prefix = parsePrefix(text);
  return prefix?.length === 0 ? undefined : prefix;
}

/** Addresses that no pod can have. https://www.iana.org/assignments/iana-ipv4-special-registry */
const reservedRanges = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
};

/** Why a canonical prefix is no pod subnet, as a clause about it; undefined if it can be one. */
export function whyNoPodSubnet(prefix: string): string | undefined {
  return Object.entries(reservedRanges)
    .flatMap(([kind, ranges]) => ranges.map((range) => [kind, range] as const))
    .filter(([, range]) => isNested(range, prefix))
    .map(([kind, range]) => `overlaps the ${kind} addresses ${range}`)[0];
}

/** The index of the first earlier prefix that each one overlaps, by its own index. */
export function earlierOverlaps(prefixes: readonly (Prefix | undefined)[]): ReadonlyMap<number, number> {
  const nested = nest(prefixes);
  const around = new Map<Nested, number>();
  for (const one of nested)
    around.set(one, Math.min(one.at, one.outer === undefined ? one.at : (around.get(one.outer) ?? one.at)));
  const inside = new Map(nested.map((one) => [one, one.at]));
  for (const one of nested.toReversed()) {
    const { outer } = one;
    if (outer !== undefined)
      inside.set(outer, Math.min(inside.get(outer) ?? outer.at, inside.get(one) ?? one.at));
  }
  return new Map(
    nested.flatMap((one) => {
      const first = Math.min(around.get(one) ?? one.at, inside.get(one) ?? one.at);
      return first < one.at ? [[one.at, first] as const] : [];
    }),
  );
}

/** Canonical addresses and prefixes in their order, without those that another one contains. */
export function withoutContained(prefixes: readonly string[]): readonly string[] {
  const contained = new Set(nest(prefixes.map(parse)).flatMap(({ at, outer }) => (outer ? at : [])));
  return prefixes.filter((_, at) => !contained.has(at));
}

/** The canonical addresses and prefixes that no prefix of `others` contains or equals. */
export function withoutCovered(prefixes: readonly string[], others: readonly string[]): readonly string[] {
  const covered = new Set<number>();
  for (const { at, outer } of nest([...others, ...prefixes].map(parse)))
    if (outer !== undefined && (outer.at < others.length || covered.has(outer.at))) covered.add(at);
  const texts = new Set(others);
  return prefixes.filter((text, index) => !texts.has(text) && !covered.has(others.length + index));
}

function parse(text: string): Prefix | undefined {
  return parsePrefix(withLength(text));
}
