import { foldKeys, isObject, type JsonObject } from '../json/members.ts';
import { addressBytes, addressFromBytes, familyOf, parseAddress } from '../net/address.ts';
import { bitsOf, firstHost, networkOf, type Prefix, parsePrefix } from '../net/prefix.ts';

/** A range of the IPAM plugin host-local. Both ends are included, in canonical text. */
export interface AddressRange {
  readonly start: string;
  readonly end: string;
  /** host-local does not assign it. */
  readonly gateway: string | undefined;
}

/**
 * The range sets of an `ipam` object with keys in lower case: the range of its own keys, then those of `ranges`. Skips what is invalid.
 * https://www.cni.dev/plugins/current/ipam/host-local/
 */
export function readRangeSets(keys: JsonObject): readonly (readonly AddressRange[])[] {
  const { ranges } = keys;
  const sets: readonly unknown[] = Array.isArray(ranges) ? ranges : [];
  return [[keys], ...sets]
    .map((set) =>
      Array.isArray(set) ? set.flatMap((one) => (isObject(one) ? readRange(foldKeys(one)) : [])) : [],
    )
    .filter((set) => set.length > 0);
}

/** The range of an object with keys in lower case; an empty list if it is invalid. */
export function readRange(keys: JsonObject): readonly AddressRange[] {
  const subnet = parsePrefix(String(keys['subnet']));
  if (subnet === undefined) return [];
  const read = (key: string) => (typeof keys[key] === 'string' ? parseAddress(keys[key]) : undefined);
  const start = read('rangestart') ?? firstHost(subnet);
  const end = read('rangeend') ?? lastHost(subnet);
  if (start === undefined || familyOf(start) !== familyOf(end)) return [];
  return [{ start, end, gateway: read('gateway') ?? firstHost(subnet) }];
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
