import { readIpamType } from '../../../config/essential-keys.ts';
import { pluginName } from '../../../config/open-config.ts';
import { foldKeys, isObject, type JsonObject } from '../../../json/members.ts';
import { addressBytes, addressFromBytes, familyOf, parseAddress } from '../../../net/address.ts';
import { bitsOf, firstHost, networkOf, type Prefix, parsePrefix } from '../../../net/prefix.ts';
import { type Reservation, readReservations, storeFolder } from '../../gc/reservations.ts';
import type { ListedPlugin } from '../../plugin-list.ts';
import type { Session } from '../../session.ts';

/** The addresses of the IPAM plugin host-local: what it may assign, and what it has reserved. */
export interface HostLocal {
  /** The folder of its reservations. */
  readonly folder: string;
  /** Each ADD takes an address from every set. */
  readonly rangeSets: readonly (readonly AddressRange[])[];
  readonly reservations: readonly Reservation[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** Both ends included, in canonical text. */
export interface AddressRange {
  readonly start: string;
  readonly end: string;
  /** host-local does not assign it. */
  readonly gateway: string | undefined;
}

/** Reads host-local's store for a plugin; undefined if the plugin uses another IPAM plugin. */
export function readHostLocal({ config }: ListedPlugin, session: Session): HostLocal | undefined {
  const { ipam, name } = config;
  const type = readIpamType(config);
  if (type === undefined || pluginName(type) !== 'host-local' || !isObject(ipam) || typeof name !== 'string')
    return undefined;
  const keys = foldKeys(ipam);
  const dataDir = keys['datadir'];
  const folder = storeFolder(typeof dataDir === 'string' ? dataDir : undefined);
  return {
    folder: `${folder}\\${name}`,
    rangeSets: readRangeSets(keys),
    ...readReservations({ folder, network: name }, session),
  };
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

function readRange(keys: JsonObject): readonly AddressRange[] {
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

/** How many addresses of some ranges host-local can assign. */
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
