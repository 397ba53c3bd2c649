import { findById } from '../../model/inventory.ts';
import { formatPort } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { localEndpoint, type NodeState } from '../path/node-state.ts';
import type { Frame, Packet } from '../path/packet.ts';
import type { Outcome, Path } from '../path/path.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { otherSideNeeds } from './other-side.ts';
import { outcomeOf, type Prediction, type Way } from './predict-path.ts';

/** A prediction in sentences: the verdict, then its reasons and what must exist elsewhere. */
export function sentencesAbout({ packet, worst, ways }: Prediction, node: NodeState): readonly string[] {
  const { path, reply } = worst;
  return [
    verdict(worst, packet, node),
    ...(isWithinSender(path) ? [path.because] : []),
    ...(path.outcome === 'arrives' && path.packet.source === '' ? [unknownSource] : []),
    ...(reply?.outcome === 'lost' || reply?.outcome === 'unknown' ? [`The reply: ${reply.because}`] : []),
    ...(ways.length > 1 ? [choice(ways)] : []),
    ...(path.outcome === 'leaves'
      ? [...outerPacket(path.frame), ...hairpin(path.frame, node), ...otherSideNeeds(path.frame, node)]
      : []),
  ];
}

function verdict({ path, reply }: Way, first: Packet, node: NodeState): string {
  switch (path.outcome) {
    case 'arrives':
      return `Arrives ${receiver(path, node)}${change(first, path)}${replyText(reply)}.`;
    case 'leaves':
      return `Leaves this node ${next(path.frame)}${change(first, path)}.`;
    case 'lost':
      return `Lost. ${path.because}`;
    case 'unknown':
      return `Unknown. ${path.because}`;
  }
}

function receiver(path: Path & { readonly outcome: 'arrives' }, { inventory }: NodeState): string {
  const { receiver } = path;
  if (receiver.is === 'node') return 'at this node';
  const endpoint = findById(inventory.endpoints, receiver.endpoint);
  const pod = endpoint && endpointRow(endpoint, inventory).pod;
  return pod === undefined ? `at endpoint ${shortGuid(receiver.endpoint)}` : `at pod ${pod}`;
}

function next({ tunnel, nextHop, packet }: Frame): string {
  if (tunnel !== undefined) return `by VXLAN to node ${tunnel.destination}`;
  return nextHop === packet.destination ? `to ${nextHop}` : `to next hop ${nextHop}`;
}

/** The new source and destination of a packet, if they changed. */
function change(first: Packet, { packet }: Path): string {
  const { source, destination, destinationPort: port } = packet;
  const isSame = first.destination === destination && first.destinationPort === port;
  const target = port === undefined ? destination : formatPort(destination, port);
  return `${first.source === source || first.source === '' ? '' : `, with source ${source}`}${isSame ? '' : `, for ${target}`}`;
}

function replyText(reply: Path | undefined): string {
  switch (reply?.outcome) {
    case undefined:
      return '';
    case 'arrives':
      return ', and the reply comes back';
    case 'leaves':
      return `, and the reply leaves this node ${next(reply.frame)}`;
    case 'lost':
      return ', but the reply is lost';
    case 'unknown':
      return ', but whether the reply comes back is unknown';
  }
}

/** Whether a pod sends to itself. */
function isWithinSender({ outcome, hops: [first, ...others] }: Path): boolean {
  return outcome === 'arrives' && first?.place === 'pod' && others.length === 0;
}

const unknownSource = 'Which source address the node chooses is not documented, so the reply is not traced.';

/** How many paths have which outcome. */
function choice(ways: readonly Way[]): string {
  const parts = [...Map.groupBy(ways, outcomeOf)].map(
    ([outcome, some]) => `${some.length} ${outcomeWords[outcome]}`,
  );
  return `A load balancer chooses one of ${ways.length} paths (${parts.join(', ')}). This is the worst one; -o wide shows all.`;
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  arrives: 'arriving',
  leaves: 'leaving this node',
  lost: 'lost',
  unknown: 'unknown',
};

function outerPacket({ tunnel }: Frame): readonly string[] {
  if (tunnel === undefined) return [];
  const { source, destination, port, vsid, macAddress } = tunnel;
  const inner = macAddress === undefined ? '' : `, inner destination MAC ${macAddress}`;
  return [`Outer packet: ${source} -> ${formatPort(destination, port)}/udp, VSID ${vsid}${inner}.`];
}

/** A packet for a pod of this node that leaves this node. */
function hairpin({ packet: { destination } }: Frame, node: NodeState): readonly string[] {
  return localEndpoint(node, destination) === undefined
    ? []
    : [`${destination} is the address of an endpoint of this node: the next hop must send the packet back.`];
}
