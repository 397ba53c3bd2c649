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
  const bytes = parseIPv6(text);
  return bytes === undefined ? undefined : addressFromBytes(bytes);
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

/**
 * The 16 octets of an IPv6 address (RFC 4291, section 2.2): groups of one to four hexadecimal digits, `::` for one or more groups of
 * zeros, and the last four octets as an IPv4 address or as groups. Undefined for any other text.
 */
function parseIPv6(text: string): readonly number[] | undefined {
  const start = text.lastIndexOf(':') + 1;
  const end = text.slice(start);
  const [head = '', tail, ...others] = `${text.slice(0, start)}${isIPv4(end) ? asGroups(end) : end}`.split(
    '::',
  );
  const [first, last] = [readGroups(head), readGroups(tail ?? '')];
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  const missing = groupsInIPv6 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array<number>(missing).fill(0), ...last];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

const groupsInIPv6 = 8;

/** The groups between single colons, none in an empty text; undefined if one is malformed. */
function readGroups(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const isGroup = (group: string) => group.length <= 4 && /^[0-9a-f]+$/i.test(group);
  return groups.every(isGroup) ? groups.map((group) => Number.parseInt(group, 16)) : undefined;
}

/** An IPv4 address as two groups: `10.0.0.1` is `a00:1`. */
function asGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** The text of RFC 5952: the first of the longest runs of zeros, if longer than one group, is `::`. */
function formatIPv6(bytes: readonly number[]): string {
  const groups = Array.from({ length: groupsInIPv6 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const runs = groups.map((_, index) => {
    const end = groups.findIndex((group, at) => at >= index && group !== '0');
    return (end === -1 ? groupsInIPv6 : end) - index;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const at = runs.indexOf(longest);
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + longest).join(':')}`;
}

/** The canonical text of an address of 4 or 16 octets. An IPv4-mapped address becomes IPv4. */
export function addressFromBytes(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12).join('.') : formatIPv6(bytes);
}

/** The octets of a canonical address, 4 or 16. */
export function addressBytes(address: string): readonly number[] {
  return familyOf(address) === 'IPv4' ? address.split('.').map(Number) : (parseIPv6(address) ?? []);
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
