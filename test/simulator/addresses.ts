// IP addresses and prefixes as numbers.

import ipaddr from 'ipaddr.js';

type Family = 4 | 6;

export interface Address {
  readonly family: Family;
  readonly value: bigint;
}

export interface Prefix {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
  readonly length: number;
  readonly hasHostBits: boolean;
}

export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return { family: 4, value: numberOf(ipaddr.IPv4.parse(text)) };
  if (ipaddr.IPv6.isValid(text) && !text.includes('%'))
    return { family: 6, value: numberOf(ipaddr.IPv6.parse(text)) };
  return undefined;
}

export function parsePrefix(text: string): Prefix | undefined {
  const [, base = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (!address) return undefined;
  const width = address.family === 4 ? 32 : 128;
  const length = Number(digits);
  if (length > width) return undefined;
  const hostMask = (1n << BigInt(width - length)) - 1n;
  const first = address.value & ~hostMask;
  return {
    family: address.family,
    first,
    last: first | hostMask,
    length,
    hasHostBits: first !== address.value,
  };
}

export function formatAddress({ family, value }: Address): string {
  const size = family === 4 ? 4 : 16;
  const bytes = Array.from({ length: size }, (_, index) =>
    Number((value >> BigInt(8 * (size - 1 - index))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

export function contains(prefix: Prefix, address: Address): boolean {
  return prefix.family === address.family && prefix.first <= address.value && address.value <= prefix.last;
}

export function overlaps(one: Prefix, other: Prefix): boolean {
  return one.family === other.family && one.first <= other.last && other.first <= one.last;
}

function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return address.toByteArray().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
