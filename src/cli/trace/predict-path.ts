import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { familyOf } from '../../net/address.ts';
import { arrivingFrame } from '../traffic/arrival.ts';
import type { Destination } from '../traffic/destination.ts';
import type { NodeState } from '../traffic/node-state.ts';
import { packetTo, replyTo } from '../traffic/packet.ts';
import type { Path, Way } from '../traffic/path.ts';
import { type Start, walk, worstFirst } from '../traffic/walk.ts';
import type { ReadNode, Unread } from './read-node-state.ts';

/** What sends: an endpoint of a pod, this node, or a machine or pod elsewhere. */
export type Sender =
  | { readonly is: 'pod'; readonly endpoint: ObservedEndpoint }
  | { readonly is: 'node' }
  | { readonly is: 'elsewhere'; readonly address: string };

/** A possible way of a packet through this node, with that of the reply if it arrives here at another place than its sender. */
export type PredictedWay = Way & { readonly reply?: Way };

/** The addresses that a sender has; undefined if it chooses. */
export function addressesOfSender(sender: Sender): readonly string[] | undefined {
  if (sender.is === 'node') return undefined;
  return sender.is === 'pod' ? addressesIn(sender.endpoint) : [sender.address];
}

/**
 * Predicts the ways of a packet, one for each choice of a load balancer or of HNS, the worst first. Empty if the sender has no address of
 * the destination's family, or if no adapter of this node receives the packet.
 */
export function predictPath(
  sender: Sender,
  destination: Destination,
  { node, unread }: ReadNode,
): readonly PredictedWay[] {
  const family = familyOf(destination.address);
  const source = (addressesOfSender(sender) ?? ['']).find((own) => own === '' || familyOf(own) === family);
  const start = source === undefined ? undefined : startOf(sender, destination, source, node);
  if (start === undefined) return [];
  const ways = walk(node, start).map((path): PredictedWay => {
    const { state, ...way } = untilUnread(path, unread);
    const reply = replyOf({ ...way, state }, sender, node);
    return reply === undefined ? way : { ...way, reply: withoutState(untilUnread(reply, unread)) };
  });
  return worstFirst(ways, outcomeOf);
}

/** The outcome of a way, which is as bad as its reply. */
export function outcomeOf({ outcome, reply }: PredictedWay): Way['outcome'] {
  return outcome === 'arrives' ? (reply?.outcome ?? outcome) : outcome;
}

function withoutState({ state: _, ...way }: Path): Way {
  return way;
}

function startOf(sender: Sender, to: Destination, source: string, node: NodeState): Start | undefined {
  const packet = packetTo(to, source);
  if (sender.is === 'pod') return { from: 'pod', endpoint: sender.endpoint, packet };
  if (sender.is === 'node') return { from: 'node', packet };
  const frame = arrivingFrame(packet, node);
  return frame && { from: 'physical network', frame };
}

/** The worst path of the reply; undefined if there is none to follow, because its source or destination is not known or the same. */
function replyOf(path: Path, sender: Sender, node: NodeState): Path | undefined {
  if (path.outcome !== 'arrives' || path.packet.source === '') return undefined;
  const id = path.receiver.is === 'pod' ? path.receiver.endpoint : undefined;
  if (sender.is === 'pod' ? id === sender.endpoint.ID : sender.is === path.receiver.is) return undefined;
  const packet = replyTo(path.packet);
  const endpoint = findById(node.inventory.endpoints, id);
  const start: Start = endpoint === undefined ? { from: 'node', packet } : { from: 'pod', endpoint, packet };
  return worstFirst(walk(node, start, path.state))[0];
}

/** A path until the node decides by what Windows did not return; from there on it is unknown. */
function untilUnread(path: Path, unread: readonly Unread[]): Path {
  const missing = unread.find(({ part }) => part !== 'IP forwarding');
  const at = path.hops.findIndex(
    ({ place }, index) =>
      ['node', 'adapter'].includes(place) || (place === 'virtual switch' && index === path.hops.length - 1),
  );
  if (missing === undefined || path.outcome === 'unknown' || at < 0) return path;
  const because = `What happens next depends on the ${missing.part} of the node, which could not be read.`;
  const hops = path.hops.slice(0, at);
  return { outcome: 'unknown', because, hops, packet: hops.at(-1)?.packet ?? path.packet, state: path.state };
}
