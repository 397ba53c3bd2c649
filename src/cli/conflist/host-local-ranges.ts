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
  const isList = Array.isArray(ranges);
  if (!isList && ranges !== undefined && ranges !== null)
    problems.push({ path: '/ranges', text: `is ${JSON.stringify(ranges)}, not a list of range sets` });
  const listed: readonly unknown[] = isList ? ranges : [];
  const sets = [
    ...(subnet === undefined ? [] : [readRange(ipam, '', problems)]),
    ...listed.map((set, index) => readSet(set, `/ranges/${index}`, problems)),
  ];
  if (subnet === undefined) refuseAddresses(foldKeys(ipam), '', problems);
  if (sets.length === 0 && (isList || (ranges ?? undefined) === undefined))
    problems.push({ path: '', text: 'has neither subnet nor ranges' });
  for (const [index, set] of sets.entries())
    refuseOverlap(set, sets.slice(0, index).flat(), 'another set', problems);
  return { sets: sets.filter((set) => set.length > 0), problems };
}

function readSet(set: unknown, path: string, problems: RangeProblem[]): readonly PlacedRange[] {
  if (!Array.isArray(set) || set.length === 0) {
    problems.push({
      path,
      text: `is ${JSON.stringify(set)}, not a list of ranges such as [{"subnet": "10.244.1.0/24"}]`,
    });
    return [];
  }
  const ranges = set.flatMap((range: unknown, index) => readRange(range, `${path}/${index}`, problems));
  const [first] = ranges;
  const other = ranges.find(({ start }) => first !== undefined && familyOf(start) !== familyOf(first.start));
  if (other !== undefined)
    problems.push({ path: other.path, text: 'has another IP family than the first range of its set' });
  for (const [index, range] of ranges.entries())
    refuseOverlap([range], ranges.slice(0, index), 'its set', problems);
  return ranges;
}

/** Reads a range; an empty list if host-local refuses it. */
function readRange(range: unknown, path: string, problems: RangeProblem[]): readonly PlacedRange[] {
  if (!isObject(range)) {
    problems.push({
      path,
      text: `is ${JSON.stringify(range)}, not a range such as {"subnet": "10.244.1.0/24"}`,
    });
    return [];
  }
  const members = foldKeys(range);
  const { subnet: given } = members;
  const known = problems.length;
  const refuse = (key: string, text: string) => problems.push({ path: `${path}/${key}`, text });
  refuseAddresses(members, path, problems);
  const subnet = typeof given === 'string' ? parsePrefix(given) : undefined;
  if (given === undefined) problems.push({ path, text: 'has no subnet' });
  else if (subnet === undefined)
    refuse('subnet', `is ${JSON.stringify(given)}, not a subnet such as "10.244.1.0/24"`);
  if (subnet === undefined) return [];
  const start = addressIn(members, 'rangeStart') ?? firstHost(subnet);
  if (start === undefined) {
    refuse('subnet', `is ${JSON.stringify(given)}, which is too small to assign addresses from`);
    return [];
  }
  const network = formatPrefix(networkOf(subnet));
  if (network !== formatPrefix(subnet))
    refuse('subnet', `is ${JSON.stringify(given)}, which has host bits set: use "${network}"`);
  for (const key of ends) {
    const address = addressIn(members, key);
    if (address !== undefined && !contains(subnet, address))
      refuse(key, `is "${address}", outside of its subnet ${network}`);
  }
  const end = addressIn(members, 'rangeEnd');
  if (end !== undefined && familyOf(end) === familyOf(start) && numberOf(end) < numberOf(start))
    refuse('rangeEnd', `is "${end}", before the start ${start}`);
  if (problems.length > known) return [];
  const gateway = addressIn(members, 'gateway') ?? firstHost(subnet);
  return [{ start, end: end ?? lastHost(subnet), gateway, path, members }];
}

const ends = ['rangeStart', 'rangeEnd'] as const;

/** Refuses addresses that cannot be read, even of a range without a subnet, which host-local ignores. */
function refuseAddresses(members: JsonObject, path: string, problems: RangeProblem[]): void {
  for (const key of [...ends, 'gateway'] as const) {
    const given = members[key.toLowerCase()] ?? '';
    if (given !== '' && addressIn(members, key) === undefined)
      problems.push({ path: `${path}/${key}`, text: `is ${JSON.stringify(given)}, not an IP address` });
  }
}

function addressIn(members: JsonObject, key: (typeof ends)[number] | 'gateway'): string | undefined {
  const given = members[key.toLowerCase()];
  return typeof given === 'string' ? parseAddress(given) : undefined;
}

/** Refuses the first range that shares an address with others. */
function refuseOverlap(
  ranges: readonly PlacedRange[],
  others: readonly PlacedRange[],
  owner: string,
  problems: RangeProblem[],
): void {
  for (const range of ranges) {
    const other = others.find((one) => isInRange(one, range.start) || isInRange(range, one.start));
    if (other === undefined) continue;
    problems.push({ path: range.path, text: `overlaps ${other.start} to ${other.end} of ${owner}` });
    return;
  }
}

/** The last address, without IPv4's broadcast address. */
function lastHost(prefix: Prefix): string {
  const family = familyOf(prefix.address);
  const size = 1n << BigInt(bitsOf(family) - prefix.length);
  const last = numberOf(networkOf(prefix).address) + size - (family === 'IPv4' ? 2n : 1n);
  return addressOf(last, bitsOf(family) / 8);
}

/** Returns the number of addresses that host-local can assign from some ranges. */
export function countAddresses(ranges: readonly AddressRange[]): bigint {
  return ranges.reduce((sum, range) => {
    const size = numberOf(range.end) - numberOf(range.start) + 1n;
    const assigned = range.gateway !== undefined && isInRange(range, range.gateway) ? size - 1n : size;
    return sum + (assigned > 0n ? assigned : 0n);
  }, 0n);
}

export function isInRange({ start, end }: AddressRange, address: string): boolean {
  if (familyOf(address) !== familyOf(start)) return false;
  const number = numberOf(address);
  return numberOf(start) <= number && number <= numberOf(end);
}

function numberOf(address: string): bigint {
  return addressBytes(address).reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function addressOf(number: bigint, length: number): string {
  const bytes = Array.from({ length }, (_, index) =>
    Number((number >> BigInt(8 * (length - 1 - index))) & 255n),
  );
  return addressFromBytes(bytes);
}
