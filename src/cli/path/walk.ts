import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { isLinkLocal } from '../../net/address.ts';
import { leaveAdapter } from './adapter.ts';
import { enterNode } from './cable.ts';
import { routeInNode } from './node.ts';
import type { NodeState } from './node-state.ts';
import type { Frame, Packet } from './packet.ts';
import type { ConnectionState, Hop, Path } from './path.ts';
import { leavePod } from './pod.ts';
import { enterPort } from './port-in.ts';
import { leavePort } from './port-out.ts';
import type { Context, Ending, Position, Step } from './step.ts';
import { forward } from './virtual-switch.ts';

/** Where a packet starts: in a pod, in the node, or on the cable to the node. */
export type Start =
  | { readonly from: 'pod'; readonly endpoint: ObservedEndpoint; readonly packet: Packet }
  /** An empty source lets the node choose it. */
  | { readonly from: 'node'; readonly packet: Packet }
  /** `interfaceIndex` is the receiving interface. */
  | { readonly from: 'cable'; readonly frame: Frame };

/** No connection yet. */
export const newConnection: ConnectionState = { translations: [], ports: [] };

/** More places than any packet passes in one node: a packet that passes more goes round in a circle. */
const mostPlaces = 32;

/**
 * Follows a packet through a node. Returns its path, or each possible one if something chooses, as a load balancer chooses a backend;
 * never none. `state` is what the node remembers of the connection, empty for its first packet.
 */
export function walk(node: NodeState, start: Start, state: ConnectionState = newConnection): readonly Path[] {
  return follow(positionOf(start), { node, state }, [], newConnection, 0);
}

function positionOf(start: Start): Position {
  switch (start.from) {
    case 'pod':
      return { at: 'pod', endpoint: start.endpoint, packet: start.packet };
    case 'node':
      return { at: 'node', packet: start.packet };
    case 'cable':
      return { at: 'cable', frame: start.frame };
  }
}

function follow(
  position: Position,
  context: Context,
  before: readonly Hop[],
  passed: ConnectionState,
  places: number,
): readonly Path[] {
  return stepFrom(position, context).flatMap((step): readonly Path[] => {
    const hops = [...before, ...step.hops];
    const state: ConnectionState = {
      translations:
        step.translation === undefined ? passed.translations : [...passed.translations, step.translation],
      ports: step.port === undefined ? passed.ports : [...passed.ports, step.port],
    };
    if (step.to.at === 'end') {
      const { at: _, ...end } = withoutForwardedLinkLocal(step.to);
      return [{ ...end, hops, state }];
    }
    if (places >= mostPlaces)
      return [
        {
          outcome: 'lost',
          because: 'The packet is in a forwarding loop.',
          packet: packetAt(step.to),
          hops,
          state,
        },
      ];
    return follow(step.to, context, hops, state, places + 1);
  });
}

/** Routers do not forward packets for link-local addresses (RFC 3927, section 7), but clouds answer some of them on the host. */
function withoutForwardedLinkLocal(end: Ending): Ending {
  const { destination } = end.packet;
  if (end.outcome !== 'leaves' || end.frame.tunnel !== undefined || !isLinkLocal(destination)) return end;
  if (end.frame.nextHop === destination) return end;
  return {
    at: 'end',
    outcome: 'unknown',
    because: `${destination} is link-local: routers do not forward it, and what ${end.frame.nextHop} does with it is not known.`,
    packet: end.packet,
  };
}

function packetAt(position: Position): Packet {
  return position.at === 'cable' ? position.frame.packet : position.packet;
}

function stepFrom(position: Position, context: Context): readonly Step[] {
  switch (position.at) {
    case 'pod':
      return leavePod(position, context);
    case 'port out':
      return leavePort(position, context);
    case 'virtual switch':
      return forward(position, context);
    case 'port in':
      return enterPort(position, context);
    case 'node':
      return routeInNode(position, context);
    case 'adapter':
      return leaveAdapter(position, context);
    case 'cable':
      return enterNode(position, context);
  }
}
