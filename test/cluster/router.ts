// A router between segments, and the world behind it.

import type { Frame } from '../../src/cli/traffic/packet.ts';
import type { Hop, Path } from '../../src/cli/traffic/path.ts';
import { newConnection } from '../../src/cli/traffic/walk.ts';
import { contains } from '../../src/net/prefix.ts';
import { type ClusterNode, prefixOf } from './node.ts';

export interface RouterOptions {
  /** One address with prefix length for each segment. */
  readonly addresses: readonly string[];
  /** Hosts behind it, such as `8.8.8.8`. */
  readonly outside?: readonly string[];
}

/** A router knows its own segments and the hosts outside. It knows no pods. */
export function router({ addresses, outside = [] }: RouterOptions): ClusterNode {
  const segments = addresses.map((text, index) => ({ index: index + 1, prefix: prefixOf(text) }));
  const own = segments.map(({ prefix }) => prefix.address);
  const owner: ClusterNode['owner'] = (address) =>
    own.includes(address) || outside.includes(address) ? { is: 'node' } : undefined;
  const pass = ({ packet, tunnel }: Pick<Frame, 'packet' | 'tunnel'>): Path => {
    const to = tunnel?.destination ?? packet.destination;
    const hop = (did: string): Hop => ({ place: 'node', name: 'router', did, packet });
    const about = { packet, state: newConnection };
    if (owner(to) !== undefined)
      return {
        ...{ ...about, outcome: 'arrives', receiver: { is: 'node' } },
        ...{ because: `${to} receives it.`, hops: [hop('receives it')] },
      };
    const segment = segments.find(({ prefix }) => contains(prefix, to));
    if (segment === undefined)
      return {
        ...{ ...about, outcome: 'lost' },
        ...{ because: `The router has no route to ${to}.`, hops: [hop('drops it')] },
      };
    return {
      ...{ ...about, outcome: 'leaves', because: `It leaves the router to next hop ${to}.` },
      frame: { interfaceIndex: segment.index, nextHop: to, packet, ...(tunnel && { tunnel }) },
      hops: [hop(`sends it to next hop ${to}`)],
    };
  };
  return {
    name: 'router',
    owner,
    send: (_from, packet) => [
      pass({ packet: packet.source === '' ? { ...packet, source: own[0] ?? '' } : packet }),
    ],
    receive: (frame) => [pass(frame)],
    interfaces: segments.map(({ index, prefix }) => ({
      index,
      name: `port ${index}`,
      addresses: [prefix],
      bridged: [],
    })),
  };
}
