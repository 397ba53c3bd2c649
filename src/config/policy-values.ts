import { parseAddress } from '../net/address.ts';
import { parseMac } from '../net/mac.ts';
import { canonicalPrefix, withLength } from '../net/prefix.ts';
import type { Problems } from './problems.ts';

/** Reads one value into the form HCN takes; undefined means that the member says nothing and is left out. */
export type Reader = (value: unknown, path: string, problems: Problems) => unknown;

/** A text in canonical form, or undefined when it is no such text. */
type Parser = (text: string) => string | undefined;

/** A value that is one text by itself; a number is read as its digits. */
function one(parse: Parser, expected: string): Reader {
  return (value, path, problems) => {
    const canonical = parse(String(value));
    if (canonical === undefined) problems.value(path, value, expected);
    return canonical;
  };
}

/** A list of what `reader` reads. */
export function each(reader: Reader): Reader {
  return (values, path, problems) =>
    Array.isArray(values)
      ? values.map((value, index) => reader(value, `${path}/${index}`, problems))
      : values;
}

/** HCN takes such lists as one text; a text that `isAny` recognises makes the whole list say nothing. */
function commaList(parse: Parser, expected: string, isAny = (_text: string) => false): Reader {
  return (value, path, problems) => {
    const texts = String(value)
      .split(',')
      .map((text) => text.trim());
    const canonical = texts.map((text) => (isAny(text) ? text : parse(text)));
    if (canonical.includes(undefined)) problems.value(path, value, `${expected}, joined by commas`);
    return texts.some(isAny) ? undefined : canonical.join(',');
  };
}

/** HNS refuses the word, and an absent member matches every address. */
function isAnyAddress(text: string): boolean {
  return ['any', '*'].includes(text.toLowerCase());
}

function parsePort(text: string): string | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535 ? text : undefined;
}

function parsePorts(text: string): string | undefined {
  const [first = '', last = first, ...others] = text.split('-').map((port) => port.trim());
  const valid = parsePort(first) !== undefined && parsePort(last) !== undefined && others.length === 0;
  if (!valid || Number(first) > Number(last)) return undefined;
  return text.includes('-') ? `${first}-${last}` : first;
}

function parseProtocol(text: string): string | undefined {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 256 ? text : undefined;
}

function parseRoutePrefix(text: string): string | undefined {
  const prefix = canonicalPrefix(text);
  return prefix === undefined ? undefined : withLength(prefix);
}

const prefixes = 'IP addresses or prefixes such as 10.96.0.0/12';

export const address = one(parseAddress, 'an IP address');
export const addressOrPrefix = one(canonicalPrefix, 'an IP address or a prefix such as 10.96.0.0/12');
/** A bare address gets its full length. */
export const routePrefix = one(parseRoutePrefix, 'a prefix such as 10.96.0.0/12');
export const macAddress = one(parseMac, 'a MAC address such as 00-15-5D-0A-0B-0C');
export const guid = one((text) => text.replace(/[{}]/g, '').toLowerCase(), 'a GUID');
/** Ports that HCN takes as texts. */
export const portText = one(parsePort, 'a port from 1 to 65535');
export const portRange = one(parsePorts, 'ports from 1 to 65535, the lower one first');

export const protocolList = commaList(parseProtocol, 'protocol numbers from 0 to 255, or 256 for any');
export const addressList = commaList(canonicalPrefix, prefixes, isAnyAddress);
export const setOfAddresses = commaList(canonicalPrefix, prefixes);
export const setOfSets = commaList((text) => text || undefined, 'the ids of sets');
export const portList = commaList(parsePorts, 'ports from 1 to 65535 or ranges such as 8080-8090');

/** A number, or the word for it. */
export function numbered(numbers: Readonly<Record<string, number>>): Reader {
  return (value) => (typeof value === 'string' ? numbers[value] : value);
}
