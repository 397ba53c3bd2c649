import { isDecimal, parseAddress } from '../net/address.ts';
import { parseMac, parseUnicastMac } from '../net/mac.ts';
import { canonicalPrefix, withLength } from '../net/prefix.ts';
import type { Problems } from './problems.ts';

/** Returns a value in the form HCN takes, undefined to leave the member out. Adds an invalid value to `problems`. */
export type Reader<T = unknown> = (value: unknown, path: string, problems: Problems) => T;

/** Returns the canonical text; undefined if the text is invalid. */
type Parser = (text: string) => string | undefined;

/** Reads a string, or a number as its digits. Returns an empty string for an invalid value. */
export function scalar(parse: Parser, expected: string): Reader<string> {
  return (value, path, problems) => {
    const text = typeof value === 'number' ? String(value) : value;
    const canonical = typeof text === 'string' ? parse(text) : undefined;
    if (canonical === undefined) problems.invalid(path, value, expected);
    return canonical ?? '';
  };
}

/** Reads each item of a list. */
export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (values, path, problems) =>
    Array.isArray(values) ? values.map((value, index) => reader(value, `${path}/${index}`, problems)) : [];
}

/** Reads a comma-separated list. An item that `isAny` accepts leaves the whole member out. */
function commaList(parse: Parser, expected: string, isAny = (_text: string) => false): Reader {
  return (value, path, problems) => {
    const texts = String(value)
      .split(',')
      .map((text) => text.trim());
    const canonical = texts.map((text) => (isAny(text) ? text : parse(text)));
    if (canonical.includes(undefined)) problems.invalid(path, value, `${expected}, separated by commas`);
    return texts.some(isAny) ? undefined : canonical.join(',');
  };
}

function parsePort(text: string): string | undefined {
  return isDecimal(text) && Number(text) >= 1 && Number(text) <= 65535 ? text : undefined;
}

function parsePortRange(text: string): string | undefined {
  const [first = '', last = first, ...others] = text.split('-').map((port) => port.trim());
  const valid = parsePort(first) !== undefined && parsePort(last) !== undefined && others.length === 0;
  if (!valid || Number(first) > Number(last)) return undefined;
  return text.includes('-') ? `${first}-${last}` : first;
}

function parseRoutePrefix(text: string): string | undefined {
  const prefix = canonicalPrefix(text);
  return prefix === undefined ? undefined : withLength(prefix);
}

/** The lowest 24 bits of a LUID are reserved and 0, so JavaScript has the exact value of each. */
export const readLuid: Reader = (value, path, problems) => {
  const isExact = Number.isSafeInteger(value) || (typeof value === 'number' && value % 2 ** 24 === 0);
  if (!isExact) problems.invalid(path, value, 'an interface LUID, whose lowest 24 bits are 0');
  return value;
};

const prefixes = 'IP addresses or prefixes such as 10.96.0.0/12';

/** Reads an IP address in canonical text. */
export const readAddress = scalar(parseAddress, 'an IP address');
/** Clears host bits: HNS since Windows Server 2022 refuses them. */
export const readPrefix = scalar(canonicalPrefix, 'an IP address or a prefix such as 10.96.0.0/12');
/** Adds the full length to an address: HNS takes no bare address as the prefix of a route. */
export const readRoutePrefix = scalar(parseRoutePrefix, 'an IP address or a prefix such as 10.96.0.0/12');
/** Reads a MAC address in HCN's format. */
export const readMac = scalar(parseMac, 'a MAC address such as 00-15-5D-0A-0B-0C');
/** Reads a unicast MAC address in HCN's format. */
export const readUnicastMac = scalar(parseUnicastMac, 'a unicast MAC address such as 02-11-0A-00-00-02');
/** Reads a GUID without braces, in lower case. */
export const readGuid = scalar((text) => text.replace(/[{}]/g, '').toLowerCase(), 'a GUID');
/** Reads a port. */
export const readPort = scalar(parsePort, 'a port from 1 to 65535');
/** Reads a port or a range of ports. */
export const readPortRange = scalar(parsePortRange, 'ports from 1 to 65535, lower port first');

/** Reads a comma-separated list of IANA protocol numbers. */
export const readProtocolList = commaList(
  (text) => (isDecimal(text) && Number(text) <= 256 ? text : undefined),
  'protocol numbers from 0 to 255, or 256 for any',
);
/** Reads a comma-separated list of prefixes; one that contains every address means any. */
/** HNS refuses the words for any address; an absent member matches every address. */
export const readPrefixList = commaList(canonicalPrefix, prefixes, (text) => /^(any|\*)$/i.test(text));
/** Reads a comma-separated list of ports or ranges. */
export const readPortList = commaList(parsePortRange, 'ports from 1 to 65535 or ranges such as 8080-8090');
/** Reads the prefixes of a SetPolicy. */
export const readSetOfPrefixes = commaList(canonicalPrefix, prefixes);
/** Reads the ids of the sets in a SetPolicy. */
export const readSetOfSets = commaList((text) => text || undefined, 'the IDs of sets');

/** Reads a number, or an enum value as its number. */
export function numberOf(numbers: Readonly<Record<string, number>>): Reader {
  return (value) => (typeof value === 'string' ? numbers[value] : value);
}
