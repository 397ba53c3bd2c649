// A router between segments, and the world behind it.

import type { Frame, Packet } from '../../src/cli/traffic/packet.ts';
import type { Hop, Path } from '../../src/cli/traffic/path.ts';
import { contains } from '../../src/net/prefix.ts';
import { type ClusterNode, prefixOf } from './node.ts';

export interface RouterOptions {
  readonly name?: string;
  /** One address with prefix length for each segment. */
  readonly addresses: readonly string[];
  readonly routes?: readonly { readonly prefix: string; readonly nextHop: string }[];
  /** Hosts behind it, such as `8.8.8.8`. */
  readonly outside?: readonly string[];
}

/** A router knows its own segments, its routes, and the hosts outside. It knows no pods. */
export function router({
  name = 'router',
  addresses,
  routes = [],
  outside = [],
}: RouterOptions): ClusterNode {
  const segments = addresses.map((text, index) => ({ index: index + 1, prefix: prefixOf(text) }));
  const own = segments.map(({ prefix }) => prefix.address);
  const owner: ClusterNode['owner'] = (address) =>
    own.includes(address) || outside.includes(address) ? { is: 'node' } : undefined;
  const pass = (packet: Packet): Path => {
    const { destination } = packet;
    if (owner(destination) !== undefined)
      return {
        outcome: 'arrives',
        receiver: { is: 'node' },
        packet,
        because: `${destination} receives it.`,
        hops: [hop('receives it', packet)],
        state: { translations: [], ports: [] },
      };
    const route = routes.find(({ prefix }) => contains(prefixOf(prefix), destination));
    const nextHop = route?.nextHop ?? destination;
    const segment = segments.find(({ prefix }) => contains(prefix, nextHop));
    if (segment === undefined)
      return {
        outcome: 'lost',
        packet,
        because: `The router has no route to ${destination}.`,
        hops: [hop('drops it', packet)],
        state: { translations: [], ports: [] },
      };
    return {
      outcome: 'leaves',
      frame: { interfaceIndex: segment.index, nextHop, packet },
      packet,
      because: `It leaves the router to next hop ${nextHop}.`,
      hops: [hop(`sends it to next hop ${nextHop}`, packet)],
      state: { translations: [], ports: [] },
    };
  };
  return {
    name,
    owner,
    send: (_from, packet) => [pass(packet.source === '' ? { ...packet, source: own[0] ?? '' } : packet)],
    receive: ({ packet, tunnel, ...frame }: Frame) => [
      tunnel === undefined ? pass(packet) : passTunnel({ packet, tunnel, ...frame }, segments),
    ],
    interfaces: segments.map(({ index, prefix }) => ({
      index,
      name: `port ${index}`,
      addresses: [prefix],
      bridged: [],
    })),
  };
}

function passTunnel(
  frame: Frame,
  segments: readonly { index: number; prefix: ReturnType<typeof prefixOf> }[],
): Path {
  const { packet, tunnel } = frame;
  const to = tunnel?.destination ?? packet.destination;
  const segment = segments.find(({ prefix }) => contains(prefix, to));
  const state = { translations: [], ports: [] };
  if (segment === undefined) {
    const because = `The router has no route to ${to}.`;
    return { outcome: 'lost', packet, because, hops: [hop('drops it', packet)], state };
  }
  return {
    outcome: 'leaves',
    frame: { ...frame, interfaceIndex: segment.index, nextHop: to },
    packet,
    because: `It leaves the router to next hop ${to}.`,
    hops: [hop(`sends it to next hop ${to}`, packet)],
    state,
  };
}

function hop(did: string, packet: Packet): Hop {
  return { place: 'node', name: 'router', did, packet };
}
