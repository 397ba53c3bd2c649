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

/** As in HCN. In: packets to the pod; Out: packets from the pod. */
export type Direction = 'In' | 'Out';

/** Compares a packet with a five-tuple, as the pod sees it. It matches if each list of the tuple contains it. */
export function matchPacket(tuple: FiveTuple, direction: Direction, packet: Packet): MatchResult {
  const { source, destination, sourcePort, destinationPort, protocol } = packet;
  const isIn = direction === 'In';
  const [local, remote] = isIn ? [destination, source] : [source, destination];
  const [localPort, remotePort] = isIn ? [destinationPort, sourcePort] : [sourcePort, destinationPort];
  const named = protocol === undefined ? undefined : protocolName(protocol);
  const portOf = (port: number | undefined) => (hasPorts(protocol) ? port : 'none');
  const results = [
    compare(tuple.protocols, 'protocol', named, (item) => item === named),
    compare(tuple.remoteAddresses, 'remote address', remote, (item) => mayContain(item, remote)),
    compare(tuple.localAddresses, 'local address', local, (item) => mayContain(item, local)),
    compare(tuple.localPorts, 'local port', portOf(localPort), (item) => isInRange(item, localPort)),
    compare(tuple.remotePorts, 'remote port', portOf(remotePort), (item) => isInRange(item, remotePort)),
  ];
  const mismatch = results.find(({ matches }) => matches === 'no');
  // A missing port is the better reason: a user who adds it also gives the protocol.
  return mismatch ?? results.findLast(({ matches }) => matches === 'unknown') ?? { matches: 'yes' };
}

/** Compares a value with a comma-separated list; undefined is unknown, and so is an item about which `isIn` returns undefined. */
function compare(
  list: string,
  what: string,
  value: string | number | undefined,
  isIn: (item: string) => boolean | undefined,
): MatchResult {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  // Older documents have these words for addresses; HNS refuses them now.
  if (items.some((item) => item === '*' || item.toLowerCase() === 'any')) return { matches: 'yes' };
  if (value === undefined) return { matches: 'unknown', because: `the ${what} is not given` };
  if (value !== 'none' && items.some((item) => isIn(item) === true)) return { matches: 'yes' };
  const open = items.find((item) => isIn(item) === undefined);
  return open === undefined
    ? { matches: 'no', because: `the ${what} is ${value}` }
    : { matches: 'unknown', because: `${open} is not an address and is not resolved` };
}

/** Undefined if the item is not an address or prefix, such as the name of a set. */
function mayContain(item: string, address: string): boolean | undefined {
  return canonicalPrefix(item) === undefined ? undefined : prefixContains(item, address);
}

/** Whether `80` or `80-90` contains a port. */
function isInRange(item: string, port = 0): boolean {
  const [first = '', last = first] = item.split('-');
  return Number(first) <= port && port <= Number(last);
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
