import { familyOf } from '../../net/address.ts';
import {
  bitsOf,
  canonicalPrefix,
  contains,
  formatPrefix,
  networkOf,
  type Prefix,
  parsePrefix,
  withLength,
} from '../../net/prefix.ts';
import { protocolName } from '../../net/protocols.ts';
import type { FiveTuple } from '../inventory/acl-row.ts';
import { hasPorts } from './destination.ts';

/** Whether a rule applies to traffic; `unknown` if the rule or the traffic lacks information. */
type MatchStatus = 'yes' | 'no' | 'unknown';

export interface MatchResult {
  readonly matches: MatchStatus;
  /** The reason if it does not match, or the missing information. */
  readonly because?: string;
}

export interface EvaluatedRule extends MatchResult {
  /** Whether it decides the outcome; `may` if missing information determines which rule does. */
  readonly decides: 'yes' | 'may' | 'no';
}

/** A connection or packet between an endpoint and a remote address. */
export interface Traffic {
  /** IANA's number. */
  readonly protocol?: number | undefined;
  /** The endpoint's addresses. It uses one of them. */
  readonly localAddresses: readonly string[];
  readonly localPort?: number | undefined;
  readonly remoteAddress: string;
  readonly remotePort?: number | undefined;
}

const yes: MatchResult = { matches: 'yes' };
const no = (because: string): MatchResult => ({ matches: 'no', because });
const unknown = (because: string): MatchResult => ({ matches: 'unknown', because });

/** Compares traffic with a five-tuple. Traffic matches if each list of the tuple contains it. */
export function matchTraffic(tuple: FiveTuple, traffic: Traffic): MatchResult {
  const results = [
    matchProtocol(tuple.protocols, traffic.protocol),
    matchAddress(tuple.remoteAddresses, [traffic.remoteAddress], 'remote'),
    matchAddress(tuple.localAddresses, traffic.localAddresses, 'local'),
    matchPort(tuple.localPorts, traffic.localPort, 'local', traffic.protocol),
    matchPort(tuple.remotePorts, traffic.remotePort, 'remote', traffic.protocol),
  ];
  const mismatch = results.find(({ matches }) => matches === 'no');
  // A missing port is the better reason: a user who adds it also gives the protocol.
  return mismatch ?? results.findLast(({ matches }) => matches === 'unknown') ?? yes;
}

function matchProtocol(list: string, protocol: number | undefined): MatchResult {
  const names = listItems(list);
  if (isAny(names)) return yes;
  if (protocol === undefined) return unknown('the protocol is not given');
  const name = protocolName(protocol);
  return names.includes(name) ? yes : no(`the protocol is ${name}`);
}

/** Compares addresses with a comma-separated list. Items that are not addresses or prefixes, such as set names, are unknown. */
function matchAddress(list: string, addresses: readonly string[], side: 'remote' | 'local'): MatchResult {
  const items = listItems(list);
  if (isAny(items)) return yes;
  const matching = addresses.filter((address) => items.some((item) => prefixContains(item, address)));
  if (matching.length === addresses.length) return yes;
  const unresolved = items.find((item) => canonicalPrefix(item) === undefined);
  if (unresolved !== undefined) return unknown(`${unresolved} is not an address and is not resolved`);
  if (matching.length > 0) return unknown(`only some of the pod addresses match: ${matching.join(', ')}`);
  return no(`the ${side} address is ${addresses.join(', ')}`);
}

function matchPort(
  list: string,
  port: number | undefined,
  side: 'remote' | 'local',
  protocol: number | undefined,
): MatchResult {
  const items = listItems(list);
  if (isAny(items)) return yes;
  if (protocol !== undefined && !hasPorts(protocol)) return no(`${protocolName(protocol)} has no ports`);
  if (port === undefined) return unknown(`the ${side} port is not given`);
  return isPortIn(items, port) ? yes : no(`the ${side} port is ${port}`);
}

/** Whether a list of ports and ranges (`80`, `8000-8080`) contains a port. */
export function isPortIn(items: readonly string[], port: number): boolean {
  return items.some((item) => {
    const [first = '', last = first] = item.split('-');
    return Number(first) <= port && port <= Number(last);
  });
}

function listItems(list: string): readonly string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Older documents have these words for addresses; HNS refuses them now. */
function isAny(items: readonly string[]): boolean {
  return items.some((item) => item === '*' || item.toLowerCase() === 'any');
}

/** Whether a prefix, or an address, contains a canonical address; false if the text is neither. */
export function prefixContains(item: string, address: string): boolean {
  const prefix = readPrefix(item);
  return prefix !== undefined && contains(prefix, address);
}

/** The item with the longest prefix that contains a canonical address, the first of equals; undefined if none does. */
export function longestMatch<T>(
  items: readonly T[],
  prefixOf: (item: T) => string,
  address: string,
): T | undefined {
  return longestMatches(items, prefixOf, address)[0];
}

/** The items with the longest prefix that contains a canonical address. */
export function longestMatches<T>(
  items: readonly T[],
  prefixOf: (item: T) => string,
  address: string,
): readonly T[] {
  return prefixTable(items, prefixOf)(address);
}

/** Returns the items with the longest prefix that contains a canonical address. */
type PrefixTable<T> = (address: string) => readonly T[];

/** Returns the table of the items of an owner, such as the routes of a network, and creates it only once for each owner. */
export function prefixTables<Owner extends object, T>(
  itemsOf: (owner: Owner) => readonly T[],
  prefixOf: (item: T) => string,
): (owner: Owner) => PrefixTable<T> {
  const tables = new WeakMap<Owner, PrefixTable<T>>();
  return (owner) => {
    const table = tables.get(owner) ?? prefixTable(itemsOf(owner), prefixOf);
    tables.set(owner, table);
    return table;
  };
}

/** A look-up takes one step for each length of the prefixes, however many items there are. */
function prefixTable<T>(items: readonly T[], prefixOf: (item: T) => string): PrefixTable<T> {
  const found = items.flatMap((item) => {
    const prefix = readPrefix(prefixOf(item));
    return prefix === undefined ? [] : [{ item, prefix }];
  });
  const byPrefix = Map.groupBy(found, ({ prefix }) => formatPrefix(prefix));
  const lengths = [...new Set(found.map(({ prefix }) => prefix.length))].toSorted(
    (one, other) => other - one,
  );
  return (address) => {
    const bits = bitsOf(familyOf(address));
    const matches = lengths.flatMap((length) =>
      length > bits ? [] : (byPrefix.get(formatPrefix(networkOf({ address, length }))) ?? []),
    );
    const longest = matches[0]?.prefix.length;
    return matches.flatMap(({ item, prefix }) => (prefix.length === longest ? [item] : []));
  };
}

function readPrefix(item: string): Prefix | undefined {
  const canonical = canonicalPrefix(item);
  return canonical === undefined ? undefined : parsePrefix(withLength(canonical));
}
