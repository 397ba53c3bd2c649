import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { shortGuid } from '../terminal/short-text.ts';
import type { NodeState } from './node-state.ts';
import type { Frame, Packet, Translation, Tunnel } from './packet.ts';
import type { ConnectionState, End, Hop } from './path.ts';

/** Where a packet is inside a node. */
export type Position =
  | { readonly at: 'pod'; readonly endpoint: ObservedEndpoint; readonly packet: Packet }
  | {
      readonly at: 'port out';
      readonly endpoint: ObservedEndpoint;
      readonly packet: Packet;
      /** The address to whose MAC address the pod sends the packet. */
      readonly nextHop: string;
    }
  | {
      readonly at: 'virtual switch';
      readonly network: ObservedNetwork;
      /** The sender; absent for a packet of the node. */
      readonly endpoint?: ObservedEndpoint;
      /** Whether a load balancer of the node itself has chosen the destination. */
      readonly isBalanced?: boolean;
      readonly packet: Packet;
      readonly nextHop: string;
    }
  | {
      readonly at: 'port in';
      readonly endpoint: ObservedEndpoint;
      readonly packet: Packet;
      /** The packet before a port mapping or load balancer changed its destination. */
      readonly before?: Packet;
    }
  | {
      readonly at: 'node';
      readonly packet: Packet;
      /** The index of the interface that received the packet; undefined for a packet of the node itself. */
      readonly received?: number | 'unknown';
    }
  | {
      readonly at: 'adapter';
      readonly packet: Packet;
      /** An encapsulated packet, or one that the virtual switch has translated. */
      readonly tunnel?: Tunnel;
    }
  | { readonly at: 'cable'; readonly frame: Frame };

export interface Context {
  readonly node: NodeState;
  /** The state that the node keeps of the connection; empty for its first packet. */
  readonly state: ConnectionState;
}

/** One way to go on from a position, or the end. */
export interface Step {
  readonly hops: readonly Hop[];
  readonly to: Position | Ending;
  readonly translation?: Translation;
  readonly port?: EndpointId;
}

export type Ending = End & { readonly at: 'end'; readonly because: string; readonly packet: Packet };

/** What a hop did, without its place. */
type Deed = Pick<Hop, 'did' | 'evidence' | 'packet'> & Partial<Pick<Hop, 'rule' | 'tunnel'>>;

export function podHop(endpoint: ObservedEndpoint, { node }: Context, deed: Deed): Hop {
  return { place: 'pod', name: endpointName(endpoint, node), id: endpoint.ID, ...deed };
}

export function portHop(endpoint: ObservedEndpoint, { node }: Context, deed: Deed): Hop {
  return { place: 'port', name: endpointName(endpoint, node), id: endpoint.ID, ...deed };
}

export function switchHop(network: ObservedNetwork, deed: Deed): Hop {
  return { place: 'virtual switch', name: network.Name, id: network.ID, ...deed };
}

export function nodeHop(deed: Deed): Hop {
  return { place: 'node', name: 'IP stack', ...deed };
}

export function lost(hop: Hop, because: string): Step {
  return { hops: [hop], to: { at: 'end', outcome: 'lost', because, packet: hop.packet } };
}

export function unknown(hop: Hop, because: string): Step {
  return { hops: [hop], to: { at: 'end', outcome: 'unknown', because, packet: hop.packet } };
}

export function leaves(hop: Hop, frame: Frame): Step {
  const because = `It leaves the node to next hop ${frame.nextHop}.`;
  return { hops: [hop], to: { at: 'end', outcome: 'leaves', frame, because, packet: frame.packet } };
}

/** The pod's name, otherwise the short ID of its endpoint. */
function endpointName(endpoint: ObservedEndpoint, { inventory }: NodeState): string {
  return endpointRow(endpoint, inventory).pod ?? `endpoint ${shortGuid(endpoint.ID)}`;
}
