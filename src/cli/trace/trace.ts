import type { EndpointId } from '../../hcn/guid.ts';
import { isOverlay, prefixesOf, providerAddressOf, settingsOf } from '../../model/network-document.ts';
import { familyOf, formatPort, isHostAddress, isLoopback } from '../../net/address.ts';
import { contains, formatPrefix } from '../../net/prefix.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import type { Destination } from '../traffic/destination.ts';
import { adapterAt, localEndpoint, type NodeState, networkOf } from '../traffic/node-state.ts';
import { type Frame, type Packet, packetTo, type Tunnel } from '../traffic/packet.ts';
import type { Hop, Way } from '../traffic/path.ts';
import { addressesOfSender, outcomeOf, type PredictedWay, predictPath, type Sender } from './predict-path.ts';
import type { ReadNode } from './read-node-state.ts';

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
  const { outcome, because, reply, hops, caveats = [] } = worst;
  const words = { arrives: 'arriving', leaves: 'leaving this node', lost: 'lost', unknown: 'unknown' };
  const counts = [...Map.groupBy(paths, outcomeOf)].map(([one, some]) => `${some.length} ${words[one]}`);
  const replyEnds = reply?.outcome === 'lost' || reply?.outcome === 'unknown';
  return [
    `${endText(packet, worst)}${outcome === 'arrives' ? `${replyText(reply)}.` : ''}`,
    ...(outcome === 'arrives' && hops.length === 1 && hops[0]?.place === 'pod' ? [because] : []),
    ...(outcome === 'arrives' && worst.packet.source === '' ? [unknownSource] : []),
    ...(replyEnds ? [`The reply: ${reply.because}`] : []),
    ...caveats,
    ...(paths.length > 1
      ? [
          `A load balancer chooses one of ${paths.length} paths (${counts.join(', ')}). This is the worst one; -o wide shows all.`,
        ]
      : []),
    ...(outcome === 'leaves' ? beyondThisNode(worst.frame, node) : []),
  ];
}

const unknownSource = 'Which source address the node chooses is not documented, so the reply is not traced.';

/** The verdict: a sentence, without its end if the packet arrives. */
function endText(first: Packet, way: PredictedWay): string {
  const { source, destination, destinationPort: port } = way.packet;
  const isSame = first.destination === destination && first.destinationPort === port;
  const target = port === undefined ? destination : formatPort(destination, port);
  const change = `${first.source === source || first.source === '' ? '' : `, with source ${source}`}${isSame ? '' : `, for ${target}`}`;
  switch (way.outcome) {
    case 'arrives':
      return `Arrives at ${placeText(way.hops.at(-1))}${change}`;
    case 'leaves':
      return `Leaves this node ${nextText(way.frame)}${change}.`;
    case 'lost':
      return `Lost. ${way.because}`;
    case 'unknown':
      return `Unknown. ${way.because}`;
  }
}

/** `pod shop/web`, or `this node` */
export function placeText(hop: Hop | undefined): string {
  switch (hop?.place) {
    case 'pod':
      return hop.name.startsWith('endpoint ') ? hop.name : `pod ${hop.name}`;
    case 'port':
      return `port of ${hop.name}`;
    case 'virtual switch':
      return `network ${hop.name}`;
    case 'adapter':
      return `adapter ${hop.name}`;
    default:
      return 'this node';
  }
}

function nextText({ tunnel, nextHop, packet }: Frame): string {
  if (tunnel !== undefined) return `by VXLAN to node ${tunnel.destination}`;
  return nextHop === packet.destination ? `to ${nextHop}` : `to next hop ${nextHop}`;
}

function replyText(reply: Way | undefined): string {
  switch (reply?.outcome) {
    case undefined:
      return '';
    case 'arrives':
      return ', and the reply comes back';
    case 'leaves':
      return `, and the reply leaves this node ${nextText(reply.frame)}`;
    case 'lost':
      return ', but the reply is lost';
    case 'unknown':
      return ', but whether the reply comes back is unknown';
  }
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
  return [
    ...(isHairpin
      ? [`${packet.destination} is an address of this node: the next hop must send it back.`]
      : []),
    ...(nextHop === packet.destination || isHairpin
      ? []
      : [`${nextHop} must forward it to ${packet.destination}.`]),
    ...(subnet === undefined || own.some((prefix) => contains(prefix, packet.source))
      ? []
      : [
          `For replies, ${nextHop} needs a route to ${formatPrefix(subnet)}${back === undefined ? '' : ` via ${back}`}.`,
        ]),
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
