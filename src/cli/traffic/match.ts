import { familyOf } from '../../net/address.ts';
import {
  bitsOf,
  canonicalPrefix,
  contains,
  formatPrefix,
  networkOf,
  parsePrefix,
  withLength,
} from '../../net/prefix.ts';
import { protocolName } from '../../net/protocols.ts';
import type { FiveTuple } from '../inventory/acl-row.ts';
import { hasPorts } from './destination.ts';
import type { Packet } from './packet.ts';

/** Whether a rule applies to a packet; `unknown` if the rule or the packet lacks information. */
export interface MatchResult {
  readonly matches: 'yes' | 'no' | 'unknown';
  /** The reason if it does not match, or the missing information. */
  readonly because?: string;
}

/** An ACL, policy entry, route or load balancer port compared with a packet. */
export interface Rule extends MatchResult {
  /** HCN's name for the kind of the rule, as `OutBoundNAT`. */
  readonly stage: string;
  /** The rule as text. */
  readonly text: string;
  /** Whether it decides the outcome; `may` if missing information determines which rule does. */
  readonly decides: 'yes' | 'may' | 'no';
}

/** A rule without missing information. */
export function certainRule(stage: string, text: string, matches: boolean, decides: boolean): Rule {
  return { stage, text, matches: matches ? 'yes' : 'no', decides: decides ? 'yes' : 'no' };
}

/** As in HCN. In: packets to the pod; Out: packets from the pod. */
export type Direction = 'In' | 'Out';

const yes: MatchResult = { matches: 'yes' };
const no = (because: string): MatchResult => ({ matches: 'no', because });
const unknown = (because: string): MatchResult => ({ matches: 'unknown', because });

/** Compares a packet with a five-tuple, as the pod sees it. It matches if each list of the tuple contains it. */
export function matchPacket(tuple: FiveTuple, direction: Direction, packet: Packet): MatchResult {
  const { source, destination, sourcePort, destinationPort, protocol } = packet;
  const [local, localPort, remote, remotePort] =
    direction === 'In'
      ? [destination, destinationPort, source, sourcePort]
      : [source, sourcePort, destination, destinationPort];
  const results = [
    matchProtocol(tuple.protocols, protocol),
    matchAddress(tuple.remoteAddresses, remote, 'remote'),
    matchAddress(tuple.localAddresses, local, 'local'),
    matchPort(tuple.localPorts, localPort, 'local', protocol),
    matchPort(tuple.remotePorts, remotePort, 'remote', protocol),
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

/** Compares an address with a comma-separated list. Items that are not addresses or prefixes, such as set names, are unknown. */
function matchAddress(list: string, address: string, side: 'remote' | 'local'): MatchResult {
  const items = listItems(list);
  if (isAny(items) || items.some((item) => prefixContains(item, address))) return yes;
  const unresolved = items.find((item) => canonicalPrefix(item) === undefined);
  return unresolved === undefined
    ? no(`the ${side} address is ${address}`)
    : unknown(`${unresolved} is not an address and is not resolved`);
}

function matchPort(
  list: string,
  port: number | undefined,
  side: 'remote' | 'local',
  protocol: number | undefined,
): MatchResult {
  const items = listItems(list);
  if (isAny(items)) return yes;
  if (!hasPorts(protocol)) return no(`${protocolName(protocol ?? 0)} has no ports`);
  if (port === undefined) return unknown(`the ${side} port is not given`);
  const isIn = items.some((item) => {
    const [first = '', last = first] = item.split('-');
    return Number(first) <= port && port <= Number(last);
  });
  return isIn ? yes : no(`the ${side} port is ${port}`);
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

/** The items with the longest prefix that contains a canonical address; empty if none does. */
export function longestMatches<T>(
  items: readonly T[],
  prefixOf: (item: T) => string,
  address: string,
): readonly T[] {
  return prefixTable(items, prefixOf)(address);
}

type PrefixTable<T> = (address: string) => readonly T[];

/** Returns the look-up of `longestMatches` in the items of an owner, such as the routes of a node; it is prepared once for each owner. */
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
    return prefix === undefined ? [] : [{ item, length: prefix.length, key: formatPrefix(prefix) }];
  });
  const byPrefix = Map.groupBy(found, ({ key }) => key);
  const lengths = [...new Set(found.map(({ length }) => length))].toSorted((one, other) => other - one);
  return (address) => {
    for (const length of lengths.filter((one) => one <= bitsOf(familyOf(address)))) {
      const matches = byPrefix.get(formatPrefix(networkOf({ address, length })));
      if (matches !== undefined) return matches.map(({ item }) => item);
    }
    return [];
  };
}

function readPrefix(item: string) {
  const canonical = canonicalPrefix(item);
  return canonical === undefined ? undefined : parsePrefix(withLength(canonical));
}
