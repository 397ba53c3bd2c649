import type { EndpointId } from '../../hcn/guid.ts';
import { familyOf, isHostAddress, isLoopback } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import type { Frame, Packet } from '../path/packet.ts';
import type { Hop, Outcome, Path } from '../path/path.ts';
import type { Destination } from '../traffic/destination.ts';
import { outcomeOf, predictPath, type Sender, type Way } from './predict-path.ts';
import type { ReadNode } from './read-node-state.ts';
import { sentencesAbout } from './sentences.ts';

/** The path of a packet from one sender to one destination, as `trace` prints it. */
export interface Trace {
  /** Absent if no pod of this node sends. */
  readonly endpoint?: EndpointId;
  readonly network?: string;
  readonly destination: Destination;
  /** As its sender sends it; absent if it cannot. */
  readonly packet?: Packet;
  /** The outcome of the worst path, with its reply. */
  readonly outcome: Outcome;
  /** Sentences: the verdict, then its reasons. */
  readonly says: readonly string[];
  /** The worst first; empty if there is none to follow. */
  readonly paths: readonly TracedWay[];
}

export interface TracedWay extends TracedPath {
  /** Absent if the packet does not arrive on this node, or its sender receives it. */
  readonly reply?: TracedPath;
}

export interface TracedPath {
  readonly outcome: Outcome;
  readonly because: string;
  readonly hops: readonly Hop[];
  /** The packet at the end. */
  readonly packet: Packet;
  /** What leaves the node, if it does. */
  readonly frame?: Frame;
}

/** Follows a packet of a sender through this node. */
export function traceFrom(sender: Sender, destination: Destination, read: ReadNode): Trace {
  const { node } = read;
  const { address } = destination;
  const row = sender.is === 'pod' ? endpointRow(sender.endpoint, node.inventory) : undefined;
  const about = {
    ...(row !== undefined && { endpoint: row.id, network: row.network }),
    destination,
  };
  const nowhere = (sentence: string): Trace => ({
    ...about,
    outcome: 'unknown',
    says: [sentence],
    paths: [],
  });
  if (!isHostAddress(address) && !isLoopback(address))
    return nowhere(`${address} is not a unicast address, and HNS does not document how it handles it.`);
  const prediction = predictPath(sender, destination, read);
  if (prediction === undefined)
    return nowhere(
      sender.is === 'pod'
        ? `Not through this endpoint: it has no ${familyOf(address)} address.`
        : `No adapter of this node receives packets for ${address} from this sender.`,
    );
  const { worst, ways } = prediction;
  return {
    ...about,
    packet: prediction.packet,
    outcome: outcomeOf(worst),
    says: [
      ...sentencesAbout(prediction, node),
      ...(row?.stale === undefined ? [] : [`The endpoint is a leftover: ${row.stale}.`]),
    ],
    paths: [worst, ...ways.filter((way) => way !== worst)].map(tracedWay),
  };
}

function tracedWay({ path, reply }: Way): TracedWay {
  return { ...traced(path), ...(reply !== undefined && { reply: traced(reply) }) };
}

function traced(path: Path): TracedPath {
  const { outcome, because, hops, packet } = path;
  return { outcome, because, hops, packet, ...(path.outcome === 'leaves' && { frame: path.frame }) };
}
