import { canonicalPrefix } from '../../net/prefix.ts';
import { protocolName } from '../../net/protocols.ts';
import type { FiveTuple } from '../inventory/five-tuple.ts';
import { hasPorts } from './destination.ts';
import { isIn } from './prefixes.ts';

/** Whether traffic is what a line is for; `unknown` where too little is said of either. */
export type Match = 'yes' | 'no' | 'unknown';

/** Whether a line decides what becomes of traffic; several that may are those of which one does. */
export type Decides = 'yes' | 'may' | 'no';

export interface Judgement {
  readonly matches: Match;
  /** Why it does not match, or what is missing. */
  readonly because?: string;
}

/** A connection or packet between an endpoint and somebody else, as far as it was said. */
export interface Traffic {
  readonly protocol?: number | undefined;
  /** The endpoint's, of which it has one. */
  readonly localAddresses: readonly string[];
  readonly localPort?: number | undefined;
  readonly remoteAddress: string;
  readonly remotePort?: number | undefined;
}

const yes: Judgement = { matches: 'yes' };
const no = (because: string): Judgement => ({ matches: 'no', because });
const unknown = (because: string): Judgement => ({ matches: 'unknown', because });

/** Whether traffic is what a five-tuple is for: it is when it is in each of its lists. */
export function matchTuple(tuple: FiveTuple, traffic: Traffic): Judgement {
  const judgements = [
    matchProtocol(tuple.protocols, traffic.protocol),
    matchAddress(tuple.remoteAddresses, [traffic.remoteAddress], 'remote'),
    matchAddress(tuple.localAddresses, traffic.localAddresses, 'local'),
    matchPort(tuple.localPorts, traffic.localPort, 'local', traffic.protocol),
    matchPort(tuple.remotePorts, traffic.remotePort, 'remote', traffic.protocol),
  ];
  const mismatch = judgements.find(({ matches }) => matches === 'no');
  // Whoever says the port says the protocol, too.
  return mismatch ?? judgements.findLast(({ matches }) => matches === 'unknown') ?? yes;
}

function matchProtocol(list: string, protocol: number | undefined): Judgement {
  const names = itemsOf(list);
  if (isAny(names)) return yes;
  if (protocol === undefined) return unknown('the protocol is not said');
  const name = protocolName(protocol);
  return names.includes(name) ? yes : no(`the protocol is ${name}`);
}

/** Whether an address is in a comma-separated list of addresses and prefixes; what is neither, such as a set, is not known. */
function matchAddress(list: string, addresses: readonly string[], whose: 'remote' | 'local'): Judgement {
  const items = itemsOf(list);
  if (isAny(items)) return yes;
  const inside = addresses.filter((address) => items.some((item) => isIn(item, address)));
  if (inside.length === addresses.length) return yes;
  const odd = items.find((item) => canonicalPrefix(item) === undefined);
  if (odd !== undefined) return unknown(`${odd} is no address: what it stands for is not looked up`);
  if (inside.length > 0) return unknown(`the pod has ${addresses.join(' and ')}`);
  return no(`the ${whose} address is ${addresses.join(', ')}`);
}

function matchPort(
  list: string,
  port: number | undefined,
  whose: 'remote' | 'local',
  protocol: number | undefined,
): Judgement {
  const items = itemsOf(list);
  if (isAny(items)) return yes;
  if (!hasPorts(protocol)) return no(`${protocolName(protocol ?? 0)} has no ports`);
  if (port === undefined) return unknown(`the ${whose} port is not said`);
  return isPortIn(items, port) ? yes : no(`the ${whose} port is ${port}`);
}

/** Whether a port is one of some ports and ranges. */
export function isPortIn(items: readonly string[], port: number): boolean {
  return items.some((item) => {
    const [first = '', last = first] = item.split('-').map((text) => text.trim());
    return Number(first) <= port && port <= Number(last);
  });
}

function itemsOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** HNS refuses the words for addresses, and older documents have them. */
function isAny(items: readonly string[]): boolean {
  return items.length === 0 || items.some((item) => item === '*' || item.toLowerCase() === 'any');
}
