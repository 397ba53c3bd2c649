import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { familyOf } from '../../net/address.ts';
import type { NodeState } from '../path/node-state.ts';
import { type Packet, replyTo } from '../path/packet.ts';
import { type Outcome, type Path, worstPath } from '../path/path.ts';
import { type Start, walk } from '../path/walk.ts';
import type { Destination } from '../traffic/destination.ts';
import { arrivingFrame } from './arriving-frame.ts';
import type { ReadNode, Unread } from './read-node-state.ts';

/** What sends: an endpoint of a pod, this node, or a machine or pod elsewhere. */
export type Sender =
  | { readonly is: 'pod'; readonly endpoint: ObservedEndpoint }
  | { readonly is: 'node' }
  | { readonly is: 'elsewhere'; readonly address: string };

/** The path of a packet through this node, as far as it is known. */
export interface Prediction {
  /** The packet as its sender sends it. The node chooses the source of its own packets: it is empty. */
  readonly packet: Packet;
  /** One for each backend of a load balancer, otherwise one. At least one. */
  readonly ways: readonly Way[];
  /** The worst of them. */
  readonly worst: Way;
}

export interface Way {
  readonly path: Path;
  /** The path of the reply, if the packet arrives on this node at another place than its sender, with a known source. */
  readonly reply?: Path;
}

/**
 * Predicts the path of a packet. Undefined if the sender has no address of the destination's family, or if no adapter of this node would
 * receive the packet.
 */
export function predictPath(
  sender: Sender,
  destination: Destination,
  { node, unread }: ReadNode,
): Prediction | undefined {
  const source = sourceOf(sender, destination);
  if (source === undefined) return undefined;
  const { address, port, protocol } = destination;
  const packet: Packet = {
    source,
    destination: address,
    ...(protocol !== undefined && { protocol }),
    ...(port !== undefined && { destinationPort: port }),
  };
  const start = startOf(sender, packet, node);
  if (start === undefined) return undefined;
  const ways = walk(node, start).map((path) => wayOf(path, sender, node, unread));
  const worst = worstOf(ways);
  return worst === undefined ? undefined : { packet, ways, worst };
}

function sourceOf(sender: Sender, { address }: Destination): string | undefined {
  const isSameFamily = (own: string) => familyOf(own) === familyOf(address);
  switch (sender.is) {
    case 'pod':
      return addressesIn(sender.endpoint).find(isSameFamily);
    case 'node':
      return '';
    case 'elsewhere':
      return isSameFamily(sender.address) ? sender.address : undefined;
  }
}

function startOf(sender: Sender, packet: Packet, node: NodeState): Start | undefined {
  switch (sender.is) {
    case 'pod':
      return { from: 'pod', endpoint: sender.endpoint, packet };
    case 'node':
      return { from: 'node', packet };
    case 'elsewhere': {
      const frame = arrivingFrame(packet, node);
      return frame && { from: 'cable', frame };
    }
  }
}

function wayOf(found: Path, sender: Sender, node: NodeState, unread: readonly Unread[]): Way {
  const path = untilUnread(found, unread);
  const isFollowed = path.outcome === 'arrives' && path.packet.source !== '' && !isSender(path, sender);
  if (!isFollowed) return { path };
  const packet = replyTo(path.packet);
  const { receiver, state } = path;
  const endpoint = receiver.is === 'pod' ? findById(node.inventory.endpoints, receiver.endpoint) : undefined;
  const start: Start = endpoint === undefined ? { from: 'node', packet } : { from: 'pod', endpoint, packet };
  const reply = worstPath(walk(node, start, state).map((one) => untilUnread(one, unread)));
  return { path, ...(reply !== undefined && { reply }) };
}

function isSender({ receiver }: Path & { readonly outcome: 'arrives' }, sender: Sender): boolean {
  return receiver.is === 'pod'
    ? sender.is === 'pod' && receiver.endpoint === sender.endpoint.ID
    : sender.is === 'node';
}

function worstOf(ways: readonly Way[]): Way | undefined {
  return worstPath(ways.map((way) => ({ way, outcome: outcomeOf(way) })))?.way;
}

/** The outcome of a path, which is as bad as its reply. */
export function outcomeOf({ path, reply }: Way): Outcome {
  return path.outcome === 'arrives' ? (reply?.outcome ?? 'arrives') : path.outcome;
}

/**
 * A path until the first place where the node decides by what Windows did not return; from there on it is unknown. The virtual switch
 * needs only HCN's documents to encapsulate a packet: then only the adapter that sends it is unknown.
 */
function untilUnread(path: Path, unread: readonly Unread[]): Path {
  const [missing] = unread.filter(({ part }) => part !== 'IP forwarding');
  if (missing === undefined || path.outcome === 'unknown') return path;
  const at = path.hops.findIndex(({ place }, index) => {
    const isEnd = index === path.hops.length - 1;
    return place === 'node' || place === 'adapter' || (place === 'virtual switch' && isEnd);
  });
  const doubtful = path.hops[at];
  if (doubtful === undefined) return path;
  const hops = path.hops.slice(0, at);
  const { packet, tunnel } = hops.at(-1) ?? doubtful;
  const { state } = path;
  const because =
    tunnel === undefined
      ? `What happens next depends on the ${missing.part} of the node, which could not be read.`
      : `The packet leaves to node ${tunnel.destination}; through which adapter depends on the ${missing.part} of the node, which could not be read.`;
  return { outcome: 'unknown', because, packet, hops, state };
}
