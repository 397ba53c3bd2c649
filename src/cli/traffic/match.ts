import { canonicalPrefix, contains, type Prefix, parsePrefix, withLength } from '../../net/prefix.ts';
import { protocolName } from '../../net/protocols.ts';
import type { FiveTuple } from '../inventory/acl-row.ts';
import { hasPorts } from './destination.ts';
import type { Packet } from './packet.ts';

/** Whether a rule applies to a packet, or what the answer depends on, as `the local port is not given`. */
export type Match = boolean | { readonly missing: string };

/** As in HCN. In: packets to the pod; Out: packets from the pod. */
export type Direction = 'In' | 'Out';

/** Compares a packet with a five-tuple, as the pod sees it. It matches if each list of the tuple contains it. */
export function matchPacket(tuple: FiveTuple, direction: Direction, packet: Packet): Match {
  const { source, destination, sourcePort, destinationPort, protocol } = packet;
  const isIn = direction === 'In';
  const [local, remote] = isIn ? [destination, source] : [source, destination];
  const [localPort, remotePort] = isIn ? [destinationPort, sourcePort] : [sourcePort, destinationPort];
  const portIn = (item: string, port: number | undefined, side: string): Match => {
    if (!hasPorts(protocol)) return false;
    return port === undefined ? { missing: `the ${side} port is not given` } : isInRange(item, port);
  };
  const results = [
    matchAny(tuple.protocols, (item) => item === protocolName(protocol)),
    matchAny(tuple.remoteAddresses, (item) => addressIn(item, remote)),
    matchAny(tuple.localAddresses, (item) => addressIn(item, local)),
    matchAny(tuple.localPorts, (item) => portIn(item, localPort, 'local')),
    matchAny(tuple.remotePorts, (item) => portIn(item, remotePort, 'remote')),
  ];
  return !results.includes(false) && (results.find((one) => one !== true) ?? true);
}

/** Whether one item of a comma-separated list applies. */
function matchAny(list: string, matches: (item: string) => Match): Match {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  // Older documents have these words for addresses; HNS refuses them now.
  if (items.some((item) => item === '*' || item.toLowerCase() === 'any')) return true;
  const results = items.map(matches);
  return results.includes(true) || (results.find((one) => one !== false) ?? false);
}

/** The name of a set of addresses is not resolved. */
function addressIn(item: string, address: string): Match {
  const missing = `${item} is not an address and is not resolved`;
  return canonicalPrefix(item) === undefined ? { missing } : prefixContains(item, address);
}

/** Whether `80` or `80-90` contains a port. */
function isInRange(item: string, port: number): boolean {
  const [first = '', last = first] = item.split('-');
  return Number(first) <= port && port <= Number(last);
}

/** Whether a prefix, or an address, contains a canonical address; false if the text is neither. */
export function prefixContains(item: string, address: string): boolean {
  const prefix = readPrefix(item);
  return prefix !== undefined && contains(prefix, address);
}

/** The item with the longest prefix that contains a canonical address; the first of equal ones, undefined if none does. */
export function longestMatch<T>(
  items: readonly T[],
  prefixOf: (item: T) => string,
  address: string,
): T | undefined {
  const matches = items.filter((item) => prefixContains(prefixOf(item), address));
  const lengthOf = (item: T) => readPrefix(prefixOf(item))?.length ?? 0;
  return matches.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
}

/** Reads a prefix, or an address as a prefix of its full length; undefined for any other text. */
export function readPrefix(item: string): Prefix | undefined {
  const canonical = canonicalPrefix(item);
  return canonical === undefined ? undefined : parsePrefix(withLength(canonical));
}
