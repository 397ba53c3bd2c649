import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { familyOf } from '../../net/address.ts';
import { readAdapters, readInventory, readRoutes } from '../inventory/read-inventory.ts';
import { forwardingState } from '../terminal/node-queries.ts';
import { type Fact, factFrom, runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import type { Destination } from '../traffic/destination.ts';
import type { NodeState } from '../traffic/node-state.ts';
import { packetTo, replyTo } from '../traffic/packet.ts';
import type { Path, Way } from '../traffic/path.ts';
import { arrivingFrame, type Start, walk, worstFirst } from '../traffic/walk.ts';

/** A node's state. `missing`: what every path depends on, and Windows did not return; absent if nothing. */
export type ReadNode = Awaited<ReturnType<typeof readNodeState>>;

/** Reads what the node's data path depends on, once. Warns of what Windows does not return. Throws what `readInventory` throws. */
export async function readNodeState(session: Session) {
  const inventory = await readInventory(session);
  const [adapters, routes, forwarding] = await Promise.all([
    factFrom(readAdapters(session.system)),
    factFrom(readRoutes(session.system)),
    runQuery(session.terminal, forwardingState),
  ]);
  const listOf = <T>(part: string, fact: Fact<readonly T[]>) => {
    if ('value' in fact) return fact.value;
    session.printStderr(`win-hcn: the ${part} of the node could not be read: ${fact.error}`);
    return [];
  };
  const node: NodeState = {
    inventory,
    adapters: listOf('network adapters', adapters),
    routes: listOf('routes', routes),
    forwarding: listOf('IP forwarding', forwarding),
  };
  if ('error' in adapters) return { node, missing: 'network adapters' };
  return 'error' in routes ? { node, missing: 'routes' } : { node };
}

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
  { node, missing }: ReadNode,
): readonly PredictedWay[] {
  const family = familyOf(destination.address);
  const source = (addressesOfSender(sender) ?? ['']).find((own) => own === '' || familyOf(own) === family);
  if (source === undefined) return [];
  const packet = packetTo(destination, source);
  if (missing !== undefined) {
    const because = `What happens depends on the ${missing} of the node, which could not be read.`;
    return [{ outcome: 'unknown', because, hops: [], packet }];
  }
  const frame = sender.is === 'elsewhere' ? arrivingFrame(packet, node) : undefined;
  if (sender.is === 'elsewhere' && frame === undefined) return [];
  const endpoint = sender.is === 'pod' ? sender.endpoint : undefined;
  const start: Start = frame ? { at: 'physical network', frame, packet } : startAt(endpoint, packet);
  const ways = walk(node, start).map((path): PredictedWay => {
    const reply = replyOf(path, sender, node);
    return { ...withoutState(path), ...(reply !== undefined && { reply: withoutState(reply) }) };
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

function startAt(endpoint: ObservedEndpoint | undefined, packet: Path['packet']): Start {
  return endpoint === undefined ? { at: 'node', packet } : { at: 'pod', endpoint, packet };
}

/** The worst path of the reply; undefined if there is none to follow, because its source or destination is not known or the same. */
function replyOf(path: Path, sender: Sender, node: NodeState): Path | undefined {
  if (path.outcome !== 'arrives' || path.packet.source === '') return undefined;
  const id = path.receiver.is === 'pod' ? path.receiver.endpoint : undefined;
  if (sender.is === 'pod' ? id === sender.endpoint.ID : sender.is === path.receiver.is) return undefined;
  const start = startAt(findById(node.inventory.endpoints, id), replyTo(path.packet));
  return worstFirst(walk(node, start, path.state))[0];
}
