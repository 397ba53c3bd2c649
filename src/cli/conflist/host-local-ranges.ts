import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { addressBytes, addressFromBytes, familyOf, parseAddress } from '../../net/address.ts';
import {
  bitsOf,
  contains,
  firstHost,
  formatPrefix,
  networkOf,
  type Prefix,
  parsePrefix,
} from '../../net/prefix.ts';

/** A range of the IPAM plugin host-local. Both ends are included, in canonical text. */
export interface AddressRange {
  readonly start: string;
  readonly end: string;
  /** host-local does not assign it. */
  readonly gateway: string | undefined;
}

/** A range with its JSON pointer in the `ipam` object, and its members with keys in lower case. */
export interface PlacedRange extends AddressRange {
  readonly path: string;
  readonly members: JsonObject;
}

/** Why host-local refuses the `ipam` object: a JSON pointer in it, and what is wrong there, as in `is "x", not a subnet`. */
export interface RangeProblem {
  readonly path: string;
  readonly text: string;
}

/** The ranges of an `ipam` object. */
export interface RangeSets {
  /** The readable ranges of each set. Each ADD takes an address from every set. */
  readonly sets: readonly (readonly PlacedRange[])[];
  readonly problems: readonly RangeProblem[];
}

/**
 * Reads the range sets of an `ipam` object: the range of its own keys, then those of `ranges`. Finds what host-local refuses in every ADD.
 * https://www.cni.dev/plugins/current/ipam/host-local/
 * https://github.com/containernetworking/plugins/blob/v1.9.1/plugins/ipam/host-local/backend/allocator/config.go
 */
export function readRangeSets(ipam: JsonObject): RangeSets {
  const { subnet, ranges } = foldKeys(ipam);
  const problems: RangeProblem[] = [];
  const read = (range: unknown, path: string): readonly PlacedRange[] => {
    const result = isObject(range)
      ? readRange(foldKeys(range), path)
      : { path, text: `is ${JSON.stringify(range)}, not a range such as {"subnet": "10.244.1.0/24"}` };
    if (!('text' in result)) return [result];
    problems.push(result);
    return [];
  };
  const listed: readonly unknown[] = Array.isArray(ranges) ? ranges : [];
  const sets = [
    ...(subnet === undefined ? [] : [read(ipam, '')]),
    ...listed.map((set, index) => {
      const path = `/ranges/${index}`;
      if (Array.isArray(set) && set.length > 0)
        return set.flatMap((range, at) => read(range, `${path}/${at}`));
      problems.push({ path, text: 'is not a list of ranges such as [{"subnet": "10.244.1.0/24"}]' });
      return [];
    }),
  ];
  if (sets.length === 0) problems.push({ path: '', text: 'has neither subnet nor ranges' });
  return { sets: sets.filter((set) => set.length > 0), problems };
}

/** Reads a range, or returns the first thing that host-local refuses. `members` has its keys in lower case. */
function readRange(members: JsonObject, path: string): PlacedRange | RangeProblem {
  const { subnet: given } = members;
  const refuse = (key: string, text: string): RangeProblem => ({
    path: `${path}/${key}`,
    text: `is ${JSON.stringify(members[key.toLowerCase()])}, ${text}`,
  });
  if (given === undefined) return { path, text: 'has no subnet' };
  const subnet = typeof given === 'string' ? parsePrefix(given) : undefined;
  if (subnet === undefined) return refuse('subnet', 'not a subnet such as "10.244.1.0/24"');
  const network = formatPrefix(networkOf(subnet));
  const first = firstHost(subnet);
  if (first === undefined) return refuse('subnet', 'which is too small to assign addresses from');
  if (network !== formatPrefix(subnet)) return refuse('subnet', `which has host bits set: use "${network}"`);
  const range = { start: first, end: lastHost(subnet), gateway: first };
  for (const [key, member] of [
    ['rangeStart', 'start'],
    ['rangeEnd', 'end'],
    ['gateway', 'gateway'],
  ] as const) {
    const text = members[key.toLowerCase()] ?? '';
    if (text === '') continue;
    const address = typeof text === 'string' ? parseAddress(text) : undefined;
    if (address === undefined) return refuse(key, 'not an IP address');
    if (key !== 'gateway' && !contains(subnet, address))
      return refuse(key, `outside of its subnet ${network}`);
    range[member] = address;
  }
  if (numberOf(range.end) < numberOf(range.start))
    return refuse('rangeEnd', `before the start ${range.start}`);
  return { ...range, path, members };
}

/** The last address, without IPv4's broadcast address. */
function lastHost({ address, length }: Prefix): string {
  const bits = bitsOf(familyOf(address));
  const last = numberOf(address) + (1n << BigInt(bits - length)) - (bits === 32 ? 2n : 1n);
  return addressFromBytes(
    Array.from({ length: bits / 8 }, (_, index) => Number((last >> BigInt(bits - 8 * (index + 1))) & 255n)),
  );
}

/** Returns the number of addresses that host-local can assign from some ranges. */
export function countAddresses(ranges: readonly AddressRange[]): bigint {
  return ranges.reduce((sum, range) => {
    const size = numberOf(range.end) - numberOf(range.start) + 1n;
    const isReserved = range.gateway !== undefined && isInRange(range, range.gateway);
    return sum + (isReserved ? size - 1n : size);
  }, 0n);
}

/** Whether an address is in a range; false across families. */
export function isInRange({ start, end }: AddressRange, address: string): boolean {
  if (familyOf(address) !== familyOf(start)) return false;
  const number = numberOf(address);
  return numberOf(start) <= number && number <= numberOf(end);
}

function numberOf(address: string): bigint {
  return addressBytes(address).reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}
