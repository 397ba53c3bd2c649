import { addressBytes, addressFromBytes, type Family, familyOf, isDecimal, parseAddress } from './address.ts';

/** An address with a prefix length. Host bits may be set; `networkOf` clears them. */
export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** Reads CIDR notation (`10.5.0.2/24`, `fd00::/64`); undefined for any other text. IPv4-mapped becomes IPv4, as in Go. */
export function parsePrefix(text: string): Prefix | undefined {
  const [given = '', bits = '', ...others] = text.split('/');
  const address = parseAddress(given);
  if (address === undefined || !isDecimal(bits) || others.length > 0) return undefined;
  const mapped = given.includes(':') && familyOf(address) === 'IPv4';
  const length = Number(bits) - (mapped ? 96 : 0);
  return length >= 0 && length <= bitsOf(familyOf(address)) ? { address, length } : undefined;
}

/** CIDR notation of a prefix. */
export function formatPrefix(prefix: Prefix): string {
  return `${prefix.address}/${prefix.length}`;
}

/** The prefix with its host bits cleared: `10.5.0.2/24` becomes `10.5.0.0/24`. */
export function networkOf({ address, length }: Prefix): Prefix {
  const cleared = addressBytes(address).map((byte, index) => byte & maskOf(length, index));
  return { address: addressFromBytes(cleared), length };
}

/** The octet of a netmask of this length at an index. */
function maskOf(length: number, index: number): number {
  return (0xff00 >> Math.min(8, Math.max(0, length - index * 8))) & 0xff;
}

/** Whether a canonical address is in the prefix; false across families. */
export function contains(prefix: Prefix, address: string): boolean {
  if (familyOf(prefix.address) !== familyOf(address)) return false;
  return networkOf({ address, length: prefix.length }).address === networkOf(prefix).address;
}

/** Whether two prefixes share an address. */
export function overlaps(one: Prefix, other: Prefix): boolean {
  return contains({ address: one.address, length: Math.min(one.length, other.length) }, other.address);
}

/** An address, or a prefix with cleared host bits, in canonical text; undefined for any other text. */
export function canonicalPrefix(text: string): string | undefined {
  const prefix = parsePrefix(text);
  return prefix === undefined ? parseAddress(text) : formatPrefix(networkOf(prefix));
}

/** A canonical prefix unchanged; an address with its full length: `10.0.0.9` becomes `10.0.0.9/32`. */
export function withLength(prefix: string): string {
  return prefix.includes('/') ? prefix : `${prefix}/${bitsOf(familyOf(prefix))}`;
}

/** Whether one of two canonical prefixes contains the other, or both are equal. */
export function isNested(one: string, other: string): boolean {
  const [first, second] = [parsePrefix(withLength(one)), parsePrefix(withLength(other))];
  return first === undefined || second === undefined ? one === other : overlaps(first, second);
}

/** The first address after the network address, the default gateway of IPAM plugins and HNS; undefined if the prefix is too long. */
export function firstHost(prefix: Prefix): string | undefined {
  return hostOf(prefix, 1);
}

/** The second address, which a node that is the gateway has by convention. */
export function secondHost(prefix: Prefix): string | undefined {
  return hostOf(prefix, 2);
}

function hostOf(prefix: Prefix, number: 1 | 2): string | undefined {
  if (prefix.length > bitsOf(familyOf(prefix.address)) - 2) return undefined;
  const bytes = addressBytes(networkOf(prefix).address);
  const last = bytes.length - 1;
  return addressFromBytes(bytes.map((byte, index) => (index === last ? byte | number : byte)));
}

/**
 * Whether a host in the prefix can have the address: not the network address, and not IPv4's broadcast address. A prefix of one or two
 * addresses has neither (RFC 3021, RFC 6164).
 */
export function isHostIn(prefix: Prefix, address: string): boolean {
  if (!contains(prefix, address)) return false;
  if (prefix.length > bitsOf(familyOf(address)) - 2) return true;
  if (address === networkOf(prefix).address) return false;
  if (familyOf(address) === 'IPv6') return true;
  const bytes = addressBytes(networkOf(prefix).address);
  return address !== bytes.map((byte, index) => byte | (~maskOf(prefix.length, index) & 0xff)).join('.');
}

/** The destination of a default route. */
export function everyAddress(family: Family): string {
  return family === 'IPv4' ? '0.0.0.0/0' : '::/0';
}

/** The number of bits in an address of a family. */
export function bitsOf(family: Family): number {
  return family === 'IPv4' ? 32 : 128;
}
