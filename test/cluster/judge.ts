// Says whether packets reach their destination in a cluster, and back: nodes joined by a cable.

import { parseDestination } from '../../src/cli/traffic/destination.ts';
import { isSamePacket, type Packet, replyTo } from '../../src/cli/traffic/packet.ts';
import type { ConnectionState, Path, Receiver } from '../../src/cli/traffic/path.ts';
import { newConnection, worstFirst } from '../../src/cli/traffic/walk.ts';
import { parseAddress } from '../../src/net/address.ts';
import { contains, formatPrefix } from '../../src/net/prefix.ts';
import { type ClusterNode, interfaceFor } from './node.ts';

/** The machines on the cable. Machines whose addresses share a prefix are on one segment. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
}

/** A part of a way: through one machine. */
export interface Leg {
  readonly node: string;
  readonly path: Path;
}

/** One possible way of a packet, and of the reply to it. */
export interface Way {
  readonly there: readonly Leg[];
  /** Empty if the packet did not arrive. */
  readonly back: readonly Leg[];
  readonly outcome: 'arrives' | 'lost' | 'unknown';
  /** The machine where the way ends, if not where it should. */
  readonly at?: string;
  readonly on?: 'the way there' | 'the way back';
  readonly because: string;
  /** The source that the receiver sees; absent if the packet did not arrive. */
  readonly seenAs?: string;
}

export interface Journey {
  readonly first: Packet;
  /** Every possible way, such as one for each backend of a service. */
  readonly ways: readonly Way[];
  /** The worst way. */
  readonly worst: Way;
  /** The worst of all ways: everything must arrive. */
  readonly outcome: Way['outcome'];
}

/** A machine of a cluster, and the sender or receiver there. */
interface Place {
  readonly node: ClusterNode;
  readonly receiver: Receiver;
}

/**
 * Follows a packet and the reply to it. `from` is the name of a node, or an address of a pod, node or outside host; `to` is
 * `ADDRESS[:PORT][/PROTOCOL]` of a pod, node, service or outside host.
 */
export function journey(cluster: Cluster, from: string, to: string): Journey {
  const wanted = parseDestination(to);
  if (wanted === undefined) throw new Error(`${to} is not ADDRESS[:PORT][/PROTOCOL]`);
  const { address: destination, protocol, port } = wanted;
  const given: Packet = {
    ...{ source: parseAddress(from) ?? '', destination, protocol },
    ...(port !== undefined && { sourcePort: 50_000, destinationPort: port }),
  };
  const origin = findPlace(cluster, from);
  const paths = origin.node.send(origin.receiver, given, newConnection);
  const [{ hops: [{ packet: { source = '' } = given } = {}] = [] } = {}] = paths;
  const first = { ...given, source: given.source || source };
  const ways = paths.flatMap((path) =>
    travel(cluster, { node: origin.node, path }, new Map(), []).flatMap((there) =>
      roundTrip(cluster, origin, first, there),
    ),
  );
  const [worst] = worstFirst(ways);
  if (worst === undefined) throw new Error('a walk returned no path');
  return { first, ways, worst, outcome: worst.outcome };
}

/** Throws with the hops unless everything arrives, from a pod at a pod with the address of the sender, or as `as` says. */
export function expectReach(
  cluster: Cluster,
  from: string,
  to: string,
  { as }: { readonly as?: string } = {},
): void {
  const { first, ways, worst, outcome } = journey(cluster, from, to);
  const legs = [...worst.there, ...worst.back].flatMap(({ node, path: { hops } }) =>
    hops.map(({ place, name, did }) => `${node}: ${place} ${name} ${did}`),
  );
  const fail = (problem: string) => {
    throw new Error([`${from} to ${to}: ${problem}`, ...legs].join('\n'));
  };
  if (outcome !== 'arrives') fail(`${outcome} on ${worst.on}, at ${worst.at}. ${worst.because}`);
  const isPod = (address: string) => cluster.nodes.some((node) => node.owner(address)?.is === 'pod');
  const expected = as ?? (isPod(from) && isPod(first.destination) ? from : undefined);
  const other = ways.find(({ seenAs }) => expected !== undefined && seenAs !== expected);
  if (other !== undefined) fail(`the receiver sees the source ${other.seenAs} instead of ${expected}`);
}

function findPlace({ nodes }: Cluster, from: string): Place {
  for (const node of nodes) {
    const receiver = node.name === from ? ({ is: 'node' } as const) : node.owner(from);
    if (receiver !== undefined) return { node, receiver };
  }
  throw new Error(`no machine of the cluster is or has ${from}`);
}

type States = ReadonlyMap<string, ConnectionState>;

interface Travelled {
  readonly legs: readonly Leg[];
  readonly states: States;
  readonly outcome: Way['outcome'];
  readonly because: string;
  readonly packet: Packet;
  readonly at: string;
  readonly receiver?: Receiver;
}

const mostLegs = 12;

/** Follows a path on, from machine to machine. */
function travel(
  cluster: Cluster,
  { node, path }: { readonly node: ClusterNode; readonly path: Path },
  before: States,
  legs: readonly Leg[],
): readonly Travelled[] {
  const known = before.get(node.name) ?? newConnection;
  const states: States = new Map([
    ...before,
    [
      node.name,
      {
        translations: [...known.translations, ...path.state.translations],
        ports: [...known.ports, ...path.state.ports],
      },
    ],
  ]);
  const all = [...legs, { node: node.name, path }];
  const { packet } = path;
  const at = node.name;
  const ended = (outcome: Way['outcome'], because: string, receiver?: Receiver): readonly Travelled[] => [
    { legs: all, states, outcome, because, packet, at, ...(receiver && { receiver }) },
  ];
  if (path.outcome === 'arrives') return ended('arrives', path.because, path.receiver);
  if (path.outcome !== 'leaves') return ended(path.outcome, path.because);
  if (all.length > mostLegs) return ended('lost', 'The packet is in a forwarding loop.');
  const { interfaceIndex, nextHop } = path.frame;
  const sender = node.interfaces.find(({ index }) => index === interfaceIndex);
  const segment = sender?.addresses.find((own) => contains(own, nextHop));
  if (segment === undefined) {
    const own = sender?.addresses.map(formatPrefix).join(' and ');
    return ended(
      'lost',
      `The next hop ${nextHop} is not on the segment of ${node.name} (${own ?? 'no adapter'}).`,
    );
  }
  for (const next of cluster.nodes) {
    const receiving = interfaceFor(next, nextHop, segment);
    if (receiving === undefined || (next === node && !receiving.bridged.includes(nextHop))) continue;
    const frame = { ...path.frame, interfaceIndex: receiving.index };
    return next
      .receive(frame, states.get(next.name) ?? newConnection)
      .flatMap((one) => travel(cluster, { node: next, path: one }, states, all));
  }
  return ended('lost', `No machine on the segment of ${node.name} has the next hop ${nextHop}.`);
}

function roundTrip(cluster: Cluster, origin: Place, sent: Packet, there: Travelled): readonly Way[] {
  const { legs, outcome, because, at, packet, receiver, states } = there;
  if (outcome !== 'arrives' || receiver === undefined)
    return [{ there: legs, back: [], outcome, because, at, on: 'the way there' }];
  const node = cluster.nodes.find(({ name }) => name === at);
  if (node === undefined) throw new Error(`no machine ${at}`);
  const seenAs = packet.source;
  const isRedirected = packet.destination !== sent.destination;
  const wrong = isRedirected ? undefined : wrongReceiver(cluster, sent, { node, receiver });
  if (wrong !== undefined)
    return [{ there: legs, back: [], outcome: 'lost', because: wrong, at, on: 'the way there', seenAs }];
  return node
    .send(receiver, replyTo(packet), states.get(at) ?? newConnection)
    .flatMap((path) => travel(cluster, { node, path }, states, []))
    .map((back): Way => {
      const way = { there: legs, back: back.legs, seenAs };
      const on = 'the way back';
      if (back.outcome !== 'arrives')
        return { ...way, outcome: back.outcome, because: back.because, at: back.at, on };
      const expected = replyTo(sent);
      const isOrigin = back.at === origin.node.name && isSameReceiver(back.receiver, origin.receiver);
      const because = `The reply from ${back.packet.source} arrives elsewhere, or not from ${expected.source}.`;
      return isOrigin && isSamePacket(back.packet, expected)
        ? { ...way, outcome: 'arrives', because: 'The reply arrives.' }
        : { ...way, outcome: 'lost', because, at: back.at, on };
    });
}

/** A sentence if a packet for a known pod or machine arrived at another one. */
function wrongReceiver(
  cluster: Cluster,
  { destination }: Packet,
  { node, receiver }: Place,
): string | undefined {
  const owner = cluster.nodes.find((one) => one.owner(destination) !== undefined);
  const expected = owner?.owner(destination);
  if (owner === undefined || expected === undefined) return undefined;
  return owner === node && isSameReceiver(expected, receiver)
    ? undefined
    : `The packet for ${destination} arrives elsewhere.`;
}

function isSameReceiver(one: Receiver | undefined, other: Receiver): boolean {
  if (one?.is === 'pod' && other.is === 'pod') return one.endpoint === other.endpoint;
  return one?.is === other.is;
}
