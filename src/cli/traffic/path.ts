import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import type { EndpointId, Guid } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { shortGuid } from '../terminal/short-text.ts';
import type { NodeState } from './node-state.ts';
import type { Frame, Packet, Translation, Tunnel } from './packet.ts';

/** A place that handles a packet. */
export interface Hop {
  readonly place: 'pod' | 'port' | 'virtual switch' | 'node' | 'adapter';
  /** Such as `pod shop/web`, or `cbr0` for a virtual switch. */
  readonly name: string;
  /** The endpoint of a pod or port, the network of a virtual switch. */
  readonly id?: Guid;
  /** What happens to the packet there, as `sends it to next hop 10.244.1.1`. */
  readonly did: string;
  /** The document or rule that decides, as `route 0.0.0.0/0 via 10.244.1.1`. */
  readonly rule?: string;
  /** The packet that leaves the hop. */
  readonly packet: Packet;
  readonly tunnel?: Tunnel;
}

/** Where a packet arrives: in a pod, or in the node. */
export type Receiver = { readonly is: 'pod'; readonly endpoint: EndpointId } | { readonly is: 'node' };

/** How a path ends. `unknown`: the model of a node ends here. */
export type End =
  | { readonly outcome: 'arrives'; readonly receiver: Receiver }
  | { readonly outcome: 'leaves'; readonly frame: Frame }
  | { readonly outcome: 'lost' | 'unknown' };

/** The state of connections that a node keeps: replies pass its ACLs, and its translations are reversed for them. */
export interface ConnectionState {
  readonly translations: readonly Translation[];
  /** The endpoints whose ports the connection has passed. */
  readonly ports: readonly EndpointId[];
}

/** The way of a packet through a node. */
export type Way = End & {
  readonly hops: readonly Hop[];
  /** The reason for the outcome, a sentence. */
  readonly because: string;
  /** The packet at the end. */
  readonly packet: Packet;
};

/** The way of a packet, and what the node remembers of its connection. */
export type Path = Way & { readonly state: ConnectionState };

/** Where a packet is inside a node; `nextHop` is the address to whose MAC address it is sent. */
export type Position = { readonly packet: Packet } & (
  | { readonly at: 'pod'; readonly endpoint: ObservedEndpoint }
  /** `endpoint` is the sender; absent for a packet of the node. */
  | {
      readonly at: 'virtual switch';
      readonly network: ObservedNetwork;
      readonly endpoint?: ObservedEndpoint;
      readonly nextHop: string;
    }
  /** `before` is the packet before a port mapping or load balancer changed its destination. */
  | { readonly at: 'port in'; readonly endpoint: ObservedEndpoint; readonly before?: Packet }
  /** `received` is the index of the interface that received the packet; absent for a packet of the node itself. */
  | { readonly at: 'node'; readonly received?: number | 'unknown' }
  | { readonly at: 'adapter'; readonly tunnel?: Tunnel }
  | { readonly at: 'physical network'; readonly frame: Frame }
);

/** A position of one kind. */
export type At<Kind extends Position['at']> = Extract<Position, { at: Kind }>;

/** What decides the way of a packet: the node, and what it remembers of the connection. */
export interface Context {
  readonly node: NodeState;
  readonly state: ConnectionState;
}

/** A way to go on from a position, or the end with the reason as a sentence. */
export interface Move {
  readonly hops: readonly Hop[];
  readonly to: Position | (End & { readonly at: 'end'; readonly because: string; readonly packet: Packet });
  readonly translation?: Translation;
  readonly port?: EndpointId;
}

/** `pod shop/web`, or `endpoint 5efcf8b5` if its pod is unknown. */
export function endpointName(endpoint: ObservedEndpoint, inventory: Inventory): string {
  const { pod } = endpointRow(endpoint, inventory);
  return pod === undefined ? `endpoint ${shortGuid(endpoint.ID)}` : `pod ${pod}`;
}

/** A hop in a pod, or at its port of the virtual switch. */
export function endpointHop(
  place: 'pod' | 'port',
  endpoint: ObservedEndpoint,
  { inventory }: NodeState,
  did: string,
  packet: Packet,
  rule?: string,
): Hop {
  const name = endpointName(endpoint, inventory);
  return { place, name, id: endpoint.ID, did, packet, ...(rule !== undefined && { rule }) };
}

/** A hop in the virtual switch of a network. */
export function switchHop(
  network: ObservedNetwork,
  did: string,
  packet: Packet,
  reason: Pick<Hop, 'rule' | 'tunnel'> = {},
): Hop {
  return { place: 'virtual switch', name: network.Name, id: network.ID, did, packet, ...reason };
}

/** A hop in the IP stack of the node. */
export function nodeHop(did: string, packet: Packet, rule?: string): Hop {
  return { place: 'node', name: 'IP stack', did, packet, ...(rule !== undefined && { rule }) };
}

/** Why a translated source is not known. */
export const unknownNodeAddress = 'The address of the node on the network is not known.';

/** The packet goes on from a hop. */
export function goes(hop: Hop, to: Position): Move {
  return { hops: [hop], to };
}

/** The end of a path: the packet is lost at a hop, or the model ends there. */
export function ends(outcome: 'lost' | 'unknown', hop: Hop, because: string): Move {
  return { hops: [hop], to: { at: 'end', outcome, because, packet: hop.packet } };
}

/** The packet arrives at the last of the hops. */
export function arrives(hops: readonly Hop[], receiver: Receiver, because: string, packet: Packet): Move {
  return { hops, to: { at: 'end', outcome: 'arrives', receiver, because, packet } };
}

/** The packet leaves the node. */
export function leaves(hop: Hop, frame: Omit<Frame, 'packet'>): Move {
  const { packet } = hop;
  const because = `It leaves the node to next hop ${frame.nextHop}.`;
  return { hops: [hop], to: { at: 'end', outcome: 'leaves', frame: { ...frame, packet }, because, packet } };
}
