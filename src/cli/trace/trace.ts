import type { EndpointId } from '../../hcn/guid.ts';
import { isOverlay, prefixesOf, providerAddressOf, settingsOf } from '../../model/network-document.ts';
import { familyOf, formatPort, isHostAddress, isLoopback } from '../../net/address.ts';
import { contains, formatPrefix } from '../../net/prefix.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type Destination, formatDestination } from '../traffic/destination.ts';
import { adapterAt, localEndpoint, type NodeState, networkOf } from '../traffic/node-state.ts';
import { type Frame, type Packet, packetText, packetTo, type Tunnel } from '../traffic/packet.ts';
import type { Hop, Way } from '../traffic/path.ts';
import {
  addressesOfSender,
  outcomeOf,
  type PredictedWay,
  predictPath,
  type ReadNode,
  type Sender,
} from './predict-path.ts';

/** The path of a packet from one sender to one destination, as `trace` prints it. */
export interface Trace {
  /** Absent if no pod of this node sends. */
  readonly endpoint?: EndpointId;
  readonly network?: string;
  readonly destination: Destination;
  /** As its sender sends it; absent if it cannot. The node chooses the source of its own packets: it is empty. */
  readonly packet?: Packet;
  /** The outcome of the worst way, with its reply. */
  readonly outcome: Way['outcome'];
  /** Sentences: the verdict, then its reasons and what must exist elsewhere. */
  readonly says: readonly string[];
  /** The worst first; empty if there is none to follow. */
  readonly paths: readonly PredictedWay[];
}

/** Follows a packet of a sender through this node. */
export function traceFrom(sender: Sender, destination: Destination, read: ReadNode): Trace {
  const { node } = read;
  const { address } = destination;
  const row = sender.is === 'pod' ? endpointRow(sender.endpoint, node.inventory) : undefined;
  const about = { ...(row !== undefined && { endpoint: row.id, network: row.network }), destination };
  const isUnicast = isHostAddress(address) || isLoopback(address);
  const paths = isUnicast ? predictPath(sender, destination, read) : [];
  const [worst] = paths;
  if (worst === undefined) {
    const sentence = !isUnicast
      ? `${address} is not a unicast address, and HNS does not document how it handles it.`
      : sender.is === 'pod'
        ? `Not through this endpoint: it has no ${familyOf(address)} address.`
        : `No adapter of this node receives packets for ${address} from this sender.`;
    return { ...about, outcome: 'unknown', says: [sentence], paths };
  }
  const own = addressesOfSender(sender)?.find((one) => familyOf(one) === familyOf(address)) ?? '';
  const packet = packetTo(destination, own);
  const leftover = row?.stale === undefined ? [] : [`The endpoint is a leftover: ${row.stale}.`];
  const says = [...sentences(packet, paths, worst, node), ...leftover];
  return { ...about, packet, outcome: outcomeOf(worst), says, paths };
}

function sentences(
  packet: Packet,
  paths: readonly PredictedWay[],
  worst: PredictedWay,
  node: NodeState,
): readonly string[] {
  const { outcome, because, reply, hops } = worst;
  const counts = [...Map.groupBy(paths, outcomeOf)].map(([one, some]) => `${some.length} ${counted[one]}`);
  const chosen = `A load balancer chooses one of ${paths.length} paths (${counts.join(', ')}). This is the worst one; -o wide shows all.`;
  const isInside = outcome === 'arrives' && hops.length === 1 && hops[0]?.place === 'pod';
  return [
    verdict(packet, worst),
    ...(isInside ? [because] : []),
    ...(outcome === 'arrives' && worst.packet.source === '' ? [unknownSource] : []),
    ...(reply?.outcome === 'lost' || reply?.outcome === 'unknown' ? [`The reply: ${reply.because}`] : []),
    ...(paths.length > 1 ? [chosen] : []),
    ...(outcome === 'leaves' ? beyondThisNode(worst.frame, node) : []),
  ];
}

const counted = { arrives: 'arriving', leaves: 'leaving this node', lost: 'lost', unknown: 'unknown' };

const unknownSource = 'Which source address the node chooses is not documented, so the reply is not traced.';

function verdict(first: Packet, way: PredictedWay): string {
  if (way.outcome === 'lost') return `Lost. ${way.because}`;
  if (way.outcome === 'unknown') return `Unknown. ${way.because}`;
  const { source, destination, destinationPort: port } = way.packet;
  const isSame = first.destination === destination && first.destinationPort === port;
  const target = port === undefined ? destination : formatPort(destination, port);
  const change = `${first.source === source || first.source === '' ? '' : `, with source ${source}`}${isSame ? '' : `, for ${target}`}`;
  if (way.outcome === 'leaves') return `Leaves this node ${nextText(way.frame)}${change}.`;
  return `Arrives at ${placeText(way.hops.at(-1))}${change}${replyText(way.reply)}.`;
}

function replyText(reply: Way | undefined): string {
  if (reply === undefined) return '';
  if (reply.outcome === 'leaves') return `, and the reply leaves this node ${nextText(reply.frame)}`;
  const ends = { arrives: 'and the reply comes back', lost: 'but the reply is lost' };
  return `, ${reply.outcome === 'unknown' ? 'but whether the reply comes back is unknown' : ends[reply.outcome]}`;
}

/** `pod shop/web`, or `this node` */
function placeText(hop: Hop | undefined): string {
  if (hop === undefined || hop.place === 'node') return 'this node';
  if (hop.place === 'pod' && hop.name.startsWith('endpoint ')) return hop.name;
  return `${hop.place === 'virtual switch' ? 'network' : hop.place}${hop.place === 'port' ? ' of' : ''} ${hop.name}`;
}

function nextText({ tunnel, nextHop, packet }: Frame): string {
  if (tunnel !== undefined) return `by VXLAN to node ${tunnel.destination}`;
  return nextHop === packet.destination ? `to ${nextHop}` : `to next hop ${nextHop}`;
}

/** What must exist where a frame arrives, so that the packet reaches its destination and the reply comes back. */
function beyondThisNode(frame: Frame, node: NodeState): readonly string[] {
  if (frame.tunnel !== undefined) return tunnelNeeds(frame.tunnel, node);
  const { interfaceIndex, nextHop, packet } = frame;
  const own = adapterAt(node, interfaceIndex)?.addresses ?? [];
  const pod = localEndpoint(node, packet.source);
  const network = pod && networkOf(pod, node);
  const subnet = network && prefixesOf(network).find((prefix) => contains(prefix, packet.source));
  const back = own.find((prefix) => contains(prefix, nextHop))?.address;
  const isHairpin = localEndpoint(node, packet.destination) !== undefined;
  const needsRoute = subnet !== undefined && !own.some((prefix) => contains(prefix, packet.source));
  const via = back === undefined ? '' : ` via ${back}`;
  return [
    ...(isHairpin
      ? [`${packet.destination} is an address of this node: the next hop must send it back.`]
      : nextHop === packet.destination
        ? []
        : [`${nextHop} must forward it to ${packet.destination}.`]),
    ...(needsRoute ? [`For replies, ${nextHop} needs a route to ${formatPrefix(subnet)}${via}.`] : []),
  ];
}

function tunnelNeeds({ source, destination, vsid, port, macAddress }: Tunnel, { inventory }: NodeState) {
  const network = inventory.networks.find((one) => isOverlay(one) && providerAddressOf(one) === source);
  const router = settingsOf(network?.Policies, 'DrMacAddress')?.['Address'] ?? 'unknown';
  const subnets = network === undefined ? [] : prefixesOf(network).map(formatPrefix);
  const inner = macAddress ?? 'unknown';
  return [
    `Outer packet: ${source} -> ${formatPort(destination, port)}/udp, VSID ${vsid}, inner destination MAC ${inner}.`,
    `Node ${destination} must receive it: VSID ${vsid}, distributed router (DrMacAddress, on Linux the VTEP) with MAC address ${inner}, and a firewall that allows UDP ${port}.`,
    `For replies, node ${destination} needs a remote subnet ${subnets.join(', ')} with provider address ${source}, VSID ${vsid} and MAC address ${router}.`,
  ];
}

/**
 * A trace as text: the verdict, its reasons, then the hops of the worst path, with the rules of the hop where it ends. `isWide` shows all
 * paths, packets and rules.
 */
export function traceText(
  { endpoint, network, packet, destination, says, outcome, paths }: Trace,
  pod: string | undefined,
  isWide: boolean,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const ofPod = pod === undefined ? '' : ` of pod ${pod}`;
  const owner =
    endpoint === undefined ? [] : [`endpoint ${shortGuid(endpoint)}${ofPod} on ${printable(network ?? '')}`];
  const ends = packet?.source ? packetText(packet) : `to ${formatDestination(destination)}`;
  const shown = isWide ? paths : paths.slice(0, 1);
  return [
    session.style(outcome === 'unknown' ? 'yellow' : 'bold', wrapSentences(first, session.width)),
    ...others.map((sentence) => wrapSentences(sentence, session.width)),
    '',
    wrapSentences([...owner, ends].join(', '), session.width),
    ...shown.flatMap((way, index) => [
      ...(shown.length > 1 ? ['', `path ${index + 1} of ${paths.length}: ${way.because}`] : []),
      ...hopTable(way, endpoint, isWide, session),
      ...(way.reply !== undefined && (isWide || way.reply.outcome !== 'arrives')
        ? ['', 'the reply', ...hopTable(way.reply, endpoint, isWide, session)]
        : []),
    ]),
  ].join('\n');
}

function hopTable(
  { hops, outcome }: Way,
  sender: Trace['endpoint'],
  isWide: boolean,
  session: Session,
): readonly string[] {
  if (hops.length === 0) return [];
  const rows = hops.map((hop, index) => ({
    hop: `${index + 1}`,
    where: hop.id !== undefined && hop.id === sender ? hop.place : placeText(hop),
    does: hop.did,
    rule: hop.rule ?? '-',
    ...(isWide && { packet: packetText(hop.packet) }),
  }));
  const isEnded = outcome === 'lost' || outcome === 'unknown';
  const explained = isWide ? hops : isEnded ? hops.slice(-1) : [];
  const last = rows.length - 1;
  return [
    rowsTable(rows, session, {
      prose: ['where', 'does', 'rule'],
      styleOf: (_title, row) => (row === last ? 'bold' : undefined),
    }),
    ...explained.flatMap((hop) => ruleTable(hop, hops.indexOf(hop) + 1, session)),
  ];
}

/** Whether each rule of a hop matches and decides, and the reason if not. Deciding rules are bold. */
function ruleTable({ rules = [] }: Hop, number: number, session: Session): readonly string[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ stage, text, matches, decides, because = '' }) => ({
    stage,
    [`rules of hop ${number}`]: text,
    matches,
    decides: decides === 'no' ? '-' : decides,
    reason: because,
  }));
  const styleOf = (_title: string, row: number) => (rules[row]?.decides === 'no' ? undefined : 'bold');
  return ['', rowsTable(rows, session, { prose: [`rules of hop ${number}`], styleOf })];
}
