/** The address families, IPv4 first. */
export const families = ['IPv4', 'IPv6'] as const;
/** An address family. */
export type Family = (typeof families)[number];

/**
 * Reads one IP address and returns its canonical text: dotted decimal, or RFC 5952 for IPv6.
 * An IPv4-mapped IPv6 address becomes IPv4. Returns undefined for any other text, including leading zeros, short forms and zones, as
 * Go's net.ParseIP does, which every CNI client uses.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const canonical = canonicalIPv6(text);
  const isMapped = canonical !== undefined && /^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(canonical);
  return isMapped ? addressBytes(canonical).slice(12).join('.') : canonical;
}

/** The text that URLs have of an IPv6 address, which is that of RFC 5952; undefined for any other text. */
function canonicalIPv6(text: string): string | undefined {
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  return URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
}

/** Four decimal numbers without leading zeros. */
function isIPv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => isDecimal(octet) && Number(octet) <= 255);
}

/** Whether a text is an integer from 0, without a sign or leading zeros. */
export function isDecimal(text: string): boolean {
  const number = Number(text);
  return number >= 0 && Number.isSafeInteger(number) && String(number) === text;
}

const groupsInIPv6 = 8;

/** The canonical text of an address of 4 or 16 octets. An IPv4-mapped address becomes IPv4. */
export function addressFromBytes(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: groupsInIPv6 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  return parseAddress(groups.join(':')) ?? '';
}

/** The octets of a canonical address, 4 or 16. */
export function addressBytes(address: string): readonly number[] {
  if (familyOf(address) === 'IPv4') return address.split('.').map(Number);
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(groupsInIPv6 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}

/** The family of a canonical address. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Whether a canonical address is only for one link: of 169.254.0.0/16 or fe80::/10. */
export function isLinkLocal(address: string): boolean {
  return /^(fe[89ab]|169\.254\.)/.test(address);
}

/** Whether a canonical address is a loopback address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** Whether a canonical address is 0.0.0.0 or ::, which stands for none. */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Whether a host can have this canonical address on a network: not unspecified, loopback, multicast or broadcast. */
export function isHostAddress(address: string): boolean {
  if (isLoopback(address) || isUnspecified(address) || address === '255.255.255.255') return false;
  const [first = 0] = addressBytes(address);
  return familyOf(address) === 'IPv6' ? first !== 0xff : first !== 0 && (first < 224 || first >= 240);
}

/** An address with a port. */
export function formatPort(address: string, port: number | string): string {
  return familyOf(address) === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}
