import ipaddr from 'ipaddr.js';

export const families = ['IPv4', 'IPv6'] as const;
export type Family = (typeof families)[number];

/**
 * Reads one IP address and returns its canonical text: dotted decimal, or RFC 5952 for IPv6.
 * An IPv4-mapped IPv6 address becomes IPv4. Returns undefined for any other text, including leading zeros, short forms and zones, as
 * Go's net.ParseIP does, which every CNI client uses.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}

/** Four decimal numbers without leading zeros. ipaddr.js would compile several regular expressions to see that. */
function isIPv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => isDecimal(octet) && Number(octet) <= 255);
}

/** Whether a text is an integer from 0, without a sign or leading zeros. */
export function isDecimal(text: string): boolean {
  const number = Number(text);
  return number >= 0 && Number.isSafeInteger(number) && String(number) === text;
}

/** The canonical text of an address of 4 or 16 octets. An IPv4-mapped address becomes IPv4. */
export function addressFromBytes(bytes: readonly number[]): string | undefined {
  return bytes.length === 4 ? bytes.join('.') : parseAddress(ipaddr.fromByteArray([...bytes]).toString());
}

/** The octets of a canonical address, 4 or 16. */
export function addressBytes(address: string): readonly number[] {
  return familyOf(address) === 'IPv4' ? address.split('.').map(Number) : ipaddr.parse(address).toByteArray();
}

/** The family of a canonical address. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Whether a canonical address is a loopback address. */
export function isLoopback(address: string): boolean {
  return rangeOf(address) === 'loopback';
}

/** Whether a host can have this canonical address on a network: not unspecified, loopback, multicast or broadcast. */
export function isHostAddress(address: string): boolean {
  return !['unspecified', 'loopback', 'multicast', 'broadcast'].includes(rangeOf(address));
}

/** The address's range in the IANA registries of special addresses, as far as it matters here. */
function rangeOf(address: string): string {
  if (familyOf(address) === 'IPv6') return ipaddr.parse(address).range();
  const [first = 0] = addressBytes(address);
  if (first === 0) return 'unspecified';
  if (first === 127) return 'loopback';
  if (address === '255.255.255.255') return 'broadcast';
  return first >= 224 && first < 240 ? 'multicast' : 'other';
}
