import ipaddr from 'ipaddr.js';
import { type Family, familyOf, parseAddress } from './address.ts';

/** An address with a prefix length. Host bits may be set; `networkOf` clears them. */
export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** Reads CIDR notation (`10.5.0.2/24`, `fd00::/64`); undefined for any other text. IPv4-mapped becomes IPv4, as in Go. */
export function parsePrefix(text: string): Prefix | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  if (match?.[1] === undefined) return undefined;
  const address = parseAddress(match[1]);
  if (address === undefined) return undefined;
  const mapped = match[1].includes(':') && familyOf(address) === 'IPv4';
  const length = Number(match[2]) - (mapped ? 96 : 0);
  return length >= 0 && length <= bitsOf(familyOf(address)) ? { address, length } : undefined;
}

/** CIDR notation of a prefix. */
export function formatPrefix(prefix: Prefix): string {
  return `${prefix.address}/${prefix.length}`;
}

/** The prefix with its host bits cleared: `10.5.0.2/24` becomes `10.5.0.0/24`. */
export function networkOf(prefix: Prefix): Prefix {
  const cidr = formatPrefix(prefix);
  const address =
    familyOf(prefix.address) === 'IPv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String();
  return { address, length: prefix.length };
}

/** Whether a canonical address is in the prefix; false across families. */
export function contains(prefix: Prefix, address: string): boolean {
  if (familyOf(prefix.address) !== familyOf(address)) return false;
  return networkOf({ address, length: prefix.length }).address === networkOf(prefix).address;
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

/** Canonical addresses and prefixes in their order, without those that another one contains. */
export function withoutContained(prefixes: readonly string[]): readonly string[] {
  const parsed = prefixes.map((text) => parsePrefix(withLength(text)));
  return prefixes.filter((_, index) => {
    const own = parsed[index];
    return !parsed.some((other, otherIndex) => {
      if (own === undefined || other === undefined || index === otherIndex) return false;
      const larger = other.length < own.length || (other.length === own.length && otherIndex < index);
      return larger && contains(other, own.address);
    });
  });
}

/**
 * The first address after the network address, the default gateway of IPAM plugins and HNS; undefined if the prefix is too long.
 */
export function firstHost(prefix: Prefix): string | undefined {
  return hostOf(prefix, 1);
}

/** The second address, which a node that is the gateway has by convention. */
export function secondHost(prefix: Prefix): string | undefined {
  return hostOf(prefix, 2);
}

function hostOf(prefix: Prefix, number: 1 | 2): string | undefined {
  if (prefix.length > bitsOf(familyOf(prefix.address)) - 2) return undefined;
  const bytes = ipaddr.parse(networkOf(prefix).address).toByteArray();
  const last = bytes.length - 1;
  const host = ipaddr.fromByteArray(bytes.map((byte, index) => (index === last ? byte | number : byte)));
  return parseAddress(host.toString());
}

/** Whether a host in the prefix can have the address: not the network address, and not IPv4's broadcast address. */
export function isHostIn(prefix: Prefix, address: string): boolean {
  if (!contains(prefix, address) || address === networkOf(prefix).address) return false;
  if (familyOf(address) === 'IPv6' || prefix.length > 30) return true;
  return address !== ipaddr.IPv4.broadcastAddressFromCIDR(formatPrefix(prefix)).toString();
}

/** The destination of a default route. */
export function everyAddress(family: Family): string {
  return family === 'IPv4' ? '0.0.0.0/0' : '::/0';
}

/** The number of bits in an address of a family. */
export function bitsOf(family: Family): number {
  return family === 'IPv4' ? 32 : 128;
}
