import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { enterNode } from './arrival.ts';
import { leaveAdapter, routeInNode } from './host.ts';
import type { NodeState } from './node-state.ts';
import type { Frame, Packet } from './packet.ts';
import type { ConnectionState, Context, Move, Path, Position } from './path.ts';
import { enterPort, leavePod, leavePort } from './pod.ts';
import { forward } from './switch.ts';

/** Where a packet starts: in a pod, in the node, or on the physical network. */
export type Start =
  | { readonly from: 'pod'; readonly endpoint: ObservedEndpoint; readonly packet: Packet }
  /** An empty source lets the node choose it. */
  | { readonly from: 'node'; readonly packet: Packet }
  /** The frame's `interfaceIndex` is the receiving interface. */
  | { readonly from: 'physical network'; readonly frame: Frame };

/** No connection yet. */
export const newConnection: ConnectionState = { translations: [], ports: [] };

/** More places than any packet passes in a node: a packet that passes more is in a loop. */
const mostPlaces = 32;

/**
 * Follows a packet through a node. Returns its path, or each possible one if something chooses, as a load balancer chooses a backend;
 * never none. `state` is what the node remembers of the connection, empty for its first packet.
 */
export function walk(node: NodeState, start: Start, state: ConnectionState = newConnection): readonly Path[] {
  const { from: at, ...rest } = start;
  const position = {
    packet: start.from === 'physical network' ? start.frame.packet : start.packet,
    at,
    ...rest,
  };
  return follow(
    position as Position,
    { node, state },
    { hops: [], state: newConnection, caveats: [], places: 0 },
  );
}

const outcomes: readonly Path['outcome'][] = ['lost', 'unknown', 'leaves', 'arrives'];

/** The paths that a packet may take, the worst first: lost before unknown before leaves before arrives. */
export function worstFirst<P extends Pick<Path, 'outcome'>>(
  paths: readonly P[],
  outcomeOf: (path: P) => Path['outcome'] = ({ outcome }) => outcome,
): readonly P[] {
  return outcomes.flatMap((outcome) => paths.filter((path) => outcomeOf(path) === outcome));
}

/** What is known of a path so far. */
type Passed = Pick<Path, 'hops' | 'state'> & { readonly caveats: readonly string[]; readonly places: number };

function follow(position: Position, context: Context, passed: Passed): readonly Path[] {
  return moves(position, context).flatMap(({ hops, to, translation, port, caveat }): readonly Path[] => {
    const next: Passed = {
      hops: [...passed.hops, ...hops],
      state: {
        translations: [...passed.state.translations, ...(translation === undefined ? [] : [translation])],
        ports: [...passed.state.ports, ...(port === undefined ? [] : [port])],
      },
      caveats: [...passed.caveats, ...(caveat === undefined ? [] : [caveat])],
      places: passed.places + 1,
    };
    if (to.at !== 'end' && next.places <= mostPlaces) return follow(to, context, next);
    const { places: _, caveats, ...rest } = next;
    const about = { ...rest, packet: to.packet, ...(caveats.length > 0 && { caveats }) };
    if (to.at !== 'end')
      return [{ ...about, outcome: 'lost', because: 'The packet is in a forwarding loop.' }];
    const { at: _at, ...end } = to;
    // A packet that is lost only if HNS does what it does not document is not certainly lost.
    return [
      { ...about, ...end, ...(end.outcome === 'lost' && caveats.length > 0 && { outcome: 'unknown' }) },
    ];
  });
}

function moves(position: Position, context: Context): readonly Move[] {
  switch (position.at) {
    case 'pod':
      return [leavePod(position, context)];
    case 'port out':
      return leavePort(position, context);
    case 'virtual switch':
      return [forward(position, context)];
    case 'port in':
      return [enterPort(position, context)];
    case 'node':
      return routeInNode(position, context);
    case 'adapter':
      return [leaveAdapter(position, context)];
    case 'physical network':
      return enterNode(position, context);
  }
}
