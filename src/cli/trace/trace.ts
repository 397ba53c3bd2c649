import { familyOf, isHostAddress, isLoopback } from '../../net/address.ts';
import { contains } from '../../net/prefix.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { Destination } from '../traffic/destination.ts';
import { adapterAt, type NodeState } from '../traffic/node-state.ts';
import { type Frame, isSamePacket, type Packet, packetText, packetTo } from '../traffic/packet.ts';
import type { Hop, Way } from '../traffic/path.ts';
import { addressesOfSender, outcomeOf, predictPath, type ReadNode, type Sender } from './predict-path.ts';

/** The path of a packet from one sender to one destination, as `trace` prints it. */
export type Trace = ReturnType<typeof traceFrom>;

/**
 * Follows a packet of a sender through this node, whose endpoint is absent if no pod of this node sends. The node chooses the source of its
 * own packets: it is empty. `outcome` is that of the worst path, with its reply; `paths` has the worst first, and is empty if there is none
 * to follow; `summary` has sentences: the verdict, then its reasons.
 */
export function traceFrom(sender: Sender, destination: Destination, read: ReadNode) {
  const { node } = read;
  const { address } = destination;
  const row = sender.is === 'pod' ? endpointRow(sender.endpoint, node.inventory) : undefined;
  const own = addressesOfSender(sender)?.find((one) => familyOf(one) === familyOf(address));
  const packet = packetTo(destination, own ?? '');
  const about = { ...(row !== undefined && { endpoint: row.id, network: row.network }), packet };
  const isUnicast = isHostAddress(address) || isLoopback(address);
  const paths = isUnicast ? predictPath(sender, destination, read) : [];
  const [worst] = paths;
  if (worst === undefined) {
    const sentence = !isUnicast
      ? `${address} is not a unicast address, and HNS does not document how it handles it.`
      : sender.is === 'pod'
        ? `Not through this endpoint: it has no ${familyOf(address)} address.`
        : `No adapter of this node receives packets for ${address} from this sender.`;
    return { ...about, outcome: 'unknown' as const, summary: [sentence], paths };
  }
  const { reply } = worst;
  const chosen = `A load balancer chooses one of ${paths.length} paths. This is the worst one; -o wide shows all.`;
  const summary = [
    verdict(packet, worst),
    ...(reply === undefined ? [] : [`The reply: ${verdict(reply.hops[0]?.packet, reply)}`]),
    ...dependsOnRouter(worst, sender, node),
    ...(paths.length > 1 ? [chosen] : []),
    ...(row?.leftover === undefined ? [] : [`The endpoint is a leftover: ${row.leftover}.`]),
  ];
  return { ...about, outcome: outcomeOf(worst), summary, paths };
}

/** Packets that leave by the default route with the address of a pod need a router that knows the pods. */
function dependsOnRouter({ hops, packet, ...way }: Way, { is }: Sender, node: NodeState): readonly string[] {
  if (way.outcome !== 'leaves' || way.frame.tunnel !== undefined || is !== 'pod') return [];
  const own = adapterAt(node, way.frame.interfaceIndex)?.addresses ?? [];
  const isByDefault = /^route (0\.0\.0\.0|::)\/0 /.test(hops.at(-1)?.rule ?? '');
  if (!isByDefault || own.some((prefix) => contains(prefix, packet.source))) return [];
  return [
    `It is lost unless ${way.frame.nextHop} has routes to ${packet.destination} and back to ${packet.source}.`,
  ];
}

/** How a way ends, and the packet there if it is not the first one. */
function verdict(first: Packet | undefined, way: Way): string {
  if (way.outcome === 'lost') return `Lost. ${way.because}`;
  if (way.outcome === 'unknown') return `Unknown. ${way.because}`;
  const { packet } = way;
  const chosen = first?.source === '' ? { ...first, source: packet.source } : first;
  const isSame = chosen !== undefined && isSamePacket(packet, chosen);
  const change = isSame ? '' : `, as ${packetText(packet)}`;
  return way.outcome === 'leaves'
    ? `Leaves this node ${nextText(way.frame)}${change}.`
    : `Arrives at ${placeText(way.hops.at(-1))}${change}.`;
}

function placeText(hop: Hop | undefined): string {
  if (hop === undefined || hop.place === 'node') return 'this node';
  const kinds = { pod: '', port: 'port of ', 'virtual switch': 'network ', adapter: 'adapter ' };
  return `${kinds[hop.place]}${hop.name}`;
}

function nextText({ tunnel, nextHop, packet }: Frame): string {
  if (tunnel !== undefined) return `by VXLAN to node ${tunnel.destination}`;
  return nextHop === packet.destination ? `to ${nextHop}` : `to next hop ${nextHop}`;
}

/** A trace as JSON, with the words of its text. */
export function traceMembers({ paths, ...trace }: Trace): object {
  const members = ({ hops, ...way }: Way) => ({
    ...way,
    hops: hops.map(({ did, ...hop }) => ({ ...hop, does: did })),
  });
  return {
    ...trace,
    paths: paths.map(({ reply, ...way }) => ({ ...members(way), ...(reply && { reply: members(reply) }) })),
  };
}

/** A trace as text: the verdict, its reasons, then the hops of the worst path. `isWide` shows all paths, and the packet at each hop. */
export function traceText(
  { endpoint, network, packet, summary, outcome, paths }: Trace,
  pod: string | undefined,
  isWide: boolean,
  session: Session,
): string {
  const [first = '', ...others] = summary;
  const ofPod = pod === undefined ? '' : ` of pod ${pod}`;
  const owner =
    endpoint === undefined ? [] : [`endpoint ${shortGuid(endpoint)}${ofPod} on ${printable(network ?? '')}`];
  const shown = isWide ? paths : paths.slice(0, 1);
  return [
    session.style(outcome === 'unknown' ? 'yellow' : 'bold', wrapSentences(first, session.width)),
    ...others.map((sentence) => wrapSentences(sentence, session.width)),
    '',
    wrapSentences([...owner, packetText(packet)].join(', '), session.width),
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
  { hops }: Way,
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
  const styleOf = (_title: string, row: number) => (row === rows.length - 1 ? 'bold' : undefined);
  return [rowsTable(rows, session, { prose: ['where', 'does', 'rule'], styleOf })];
}
