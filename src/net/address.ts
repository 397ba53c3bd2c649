import ipaddr from 'ipaddr.js';

export const families = ['IPv4', 'IPv6'] as const;
export type Family = (typeof families)[number];

/**
 * Reads one IP address and returns its canonical text: dotted decimal, or RFC 5952 for IPv6.
 * An IPv4-mapped IPv6 address becomes IPv4. Returns undefined for any other text, including leading zeros, short forms and zones, as
 * Go's net.ParseIP does, which every CNI client uses.
 */
export function parseAddress(text: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}

/** The canonical text of an address of 4 or 16 octets. An IPv4-mapped address becomes IPv4. */
export function addressFromBytes(bytes: Uint8Array): string | undefined {
  return parseAddress(ipaddr.fromByteArray([...bytes]).toString());
}

/** The octets of a canonical address, 4 or 16. */
export function addressBytes(address: string): readonly number[] {
  return ipaddr.parse(address).toByteArray();
}

/** The family of a canonical address. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Whether a canonical address is a loopback address. */
export function isLoopback(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback';
}

/** Whether a host can have this canonical address on a network: not unspecified, loopback, multicast or broadcast. */
export function isHostAddress(address: string): boolean {
  const range = ipaddr.parse(address).range();
  return !['unspecified', 'loopback', 'multicast', 'broadcast'].includes(range);
}
