import type { EndpointId } from '../../hcn/guid.ts';
import { countText } from '../terminal/short-text.ts';
import type { Hop as PredictedHop, Way } from '../traffic/path.ts';
import type { PacketEvent } from './parse-log.ts';
import { type Place, type PlaceKind, unknownPlace } from './places.ts';

/** The predicted path of a packet from the pod. */
export type PredictedPath = Pick<Way, 'outcome' | 'because' | 'hops'>;

/** From the pod, to the pod, or another packet that matches the filters, such as ARP. */
type Flow = 'sent' | 'received' | 'other';

/** The addresses that tell the direction of a packet. */
export interface FlowEnds {
  /** The pod's addresses, and what they are translated to. */
  readonly local: readonly string[];
  /** The destination, and what it is translated to. Absent for any. */
  readonly remote?: readonly string[];
}

/** Packets that a component dropped; the reason is as pktmon printed it. */
export interface HopDrop {
  readonly flow: Flow;
  readonly packets: number;
  readonly reason: string;
}

/** How many of the pod's packets one component saw. */
export interface Hop extends Readonly<Record<Flow, number>> {
  /** pktmon's number of the component. It changes when Windows restarts. */
  readonly component: number;
  readonly kind: PlaceKind;
  readonly where: string;
  readonly endpoint?: EndpointId;
  readonly drops: readonly HopDrop[];
}

/** Counts packets at each component, once per component; the components are in the order in which packets from the pod reached them. */
export function hopsOf(
  events: readonly PacketEvent[],
  places: ReadonlyMap<number, Place>,
  ends: FlowEnds,
): readonly Hop[] {
  const flows = events.map((event) => ({ ...event, flow: flowOf(event, ends) }));
  const order = [
    ...flows.filter(({ flow }) => flow === 'sent'),
    ...flows.filter(({ flow }) => flow === 'other'),
    ...flows.filter(({ flow }) => flow === 'received').toReversed(),
  ];
  return [...new Set(order.map(({ component }) => component))].map((component) => {
    const here = flows.filter((event) => event.component === component);
    const count = (wanted: Flow) => countPackets(here.filter(({ flow }) => flow === wanted));
    const { kind, label, endpoint } = places.get(component) ?? unknownPlace(component);
    const dropped = Map.groupBy(here, ({ flow, drop }) =>
      drop === undefined ? '' : JSON.stringify([flow, drop]),
    );
    dropped.delete('');
    return {
      component,
      kind,
      where: label,
      ...(endpoint !== undefined && { endpoint }),
      sent: count('sent'),
      received: count('received'),
      other: count('other'),
      drops: [...dropped.values()].map((group) => ({
        flow: group[0]?.flow ?? 'other',
        packets: countPackets(group),
        reason: group[0]?.drop ?? '',
      })),
    };
  });
}

function countPackets(events: readonly PacketEvent[]): number {
  return new Set(events.map(({ packet }) => packet)).size;
}

/** The direction of a packet by its addresses; those of an inner header count as well, ARP does not. */
function flowOf({ ends }: PacketEvent, { local, remote }: FlowEnds): Flow {
  const isRemote = (address: string) => remote?.includes(address) ?? true;
  const ip = ends.filter(({ isArp }) => isArp !== true);
  if (ip.some(({ source, destination }) => local.includes(source) && isRemote(destination))) return 'sent';
  const isReceived = ip.some(({ source, destination }) => local.includes(destination) && isRemote(source));
  return isReceived ? 'received' : 'other';
}

/** A predicted hop beside what pktmon saw there. */
export interface ComparedHop {
  /** As in `port shop/web`. */
  readonly hop: string;
  readonly predicted: string;
  /** Packets from the pod; absent if pktmon has no component for the hop. */
  readonly seen?: number;
  readonly drops: readonly HopDrop[];
}

/** A predicted path beside what pktmon saw. */
export interface ComparedPath {
  readonly outcome: PredictedPath['outcome'];
  readonly hops: readonly ComparedHop[];
}

/** What a capture shows. */
export interface Findings {
  /** Sentences: the result, then where the observed path parts from the predicted one. */
  readonly says: readonly string[];
  /** Whether packets were lost, or took another path than predicted, or none was seen. */
  readonly isProblem: boolean;
  /** What each component saw, in the order of the path from the pod. */
  readonly hops: readonly Hop[];
  /** The predicted path beside it, one for each possible one; empty without a destination. */
  readonly predicted: readonly ComparedPath[];
}

/** Compares what each hop saw with the predicted paths. */
export function compare(
  hops: readonly Hop[],
  places: ReadonlyMap<number, Place>,
  paths: readonly PredictedPath[],
  seconds: number,
): Findings {
  const kinds = new Set([...places.values()].map(({ kind }) => kind));
  const compared = paths.map((path) => comparePath(path, hops, kinds));
  // Of several possible paths, one that agrees is the one that was taken.
  const best = compared.find(({ agrees }) => agrees) ?? compared[0];
  const [sent, received] = [most(hops, 'sent'), most(hops, 'received')];
  const isUnsent = sent === 0 && paths.length > 0;
  const drops = hops.flatMap(({ where, drops: here }) => here.map((drop) => dropText(where, drop)));
  const result =
    hops.length === 0
      ? [`No packet matched the filters in ${seconds} s. Send traffic during the capture.`]
      : [
          ...drops,
          `Seen: ${sent} from the pod, ${received} to the pod${drops.length === 0 ? '; pktmon reports no drop' : ''}.`,
        ];
  return {
    says: [
      ...result,
      ...(best === undefined || isUnsent ? [] : [best.says]),
      ...(best === undefined ? [] : [`${predictions[best.path.outcome]}: ${best.path.because}`]),
    ],
    isProblem: hops.length === 0 || isUnsent || drops.length > 0 || best?.agrees === false,
    hops,
    predicted: compared.map(({ path, hops: beside }) => ({ outcome: path.outcome, hops: beside })),
  };
}

function most(hops: readonly Hop[], flow: Flow): number {
  return Math.max(0, ...hops.map((hop) => hop[flow]));
}

const flowTexts = { sent: 'from the pod ', received: 'to the pod ', other: '' } as const;

function dropText(where: string, { flow, packets, reason }: HopDrop): string {
  const verb = packets === 1 ? 'was' : 'were';
  return `${countText(packets, 'packet')} ${flowTexts[flow]}${verb} dropped at ${where}: ${reason || 'pktmon gives no reason'}.`;
}

const predictions: Readonly<Record<PredictedPath['outcome'], string>> = {
  arrives: 'Predicted to arrive',
  leaves: 'Predicted to leave the node',
  lost: 'Predicted to be lost',
  unknown: 'The prediction is uncertain',
};

interface Comparison {
  readonly path: PredictedPath;
  readonly hops: readonly ComparedHop[];
  /** A sentence: where the observed path ends, or where the two part. */
  readonly says: string;
  /** Whether the two agree as far as they are known. */
  readonly agrees: boolean;
}

function comparePath(path: PredictedPath, seen: readonly Hop[], kinds: ReadonlySet<PlaceKind>): Comparison {
  const hops = path.hops.map((hop): ComparedHop => {
    const here = seen.filter((one) => isAt(hop, one));
    const isKnown = here.length > 0 || kinds.has(hop.place);
    return {
      hop: hopText(hop),
      predicted: [hop.did, ...(hop.rule === undefined ? [] : [`(${hop.rule})`])].join(' '),
      ...(isKnown && { seen: most(here, 'sent') }),
      drops: here.flatMap(({ drops }) => drops.filter(({ flow }) => flow !== 'received')),
    };
  });
  const { agrees, says } = judge(path, hops, seen);
  return { path, hops, says, agrees: agrees || path.outcome === 'unknown' };
}

function judge(
  path: PredictedPath,
  hops: readonly ComparedHop[],
  seen: readonly Hop[],
): Pick<Comparison, 'agrees' | 'says'> {
  const isLost = path.outcome === 'lost';
  const end = path.hops.at(-1);
  const dropping = seen.find(({ drops }) => drops.some(({ flow }) => flow === 'sent'));
  if (dropping !== undefined) {
    const { where } = dropping;
    return isLost && end !== undefined && isAt(end, dropping)
      ? { agrees: true, says: `As predicted, packets are lost at ${where}.` }
      : { agrees: false, says: `The paths diverge at ${where}: packets are dropped there.` };
  }
  const isBeyond = (hop: Hop) =>
    hop.sent > 0 && hop.kind !== 'other' && !path.hops.some((one) => isAt(one, hop));
  const beyond = isLost ? seen.find(isBeyond) : undefined;
  if (beyond !== undefined)
    return { agrees: false, says: `The paths diverge: packets were also seen at ${beyond.where}.` };
  const known = hops.filter((hop) => hop.seen !== undefined);
  const last = known.findLast((hop) => (hop.seen ?? 0) > 0);
  const missing = known[last === undefined ? 0 : known.indexOf(last) + 1];
  if (missing === undefined)
    return {
      agrees: true,
      says: `Packets were seen at all predicted hops${last === undefined ? '' : ` as far as ${last.hop}`}.`,
    };
  const from = last === undefined ? '' : `last seen at ${last.hop}, and `;
  return {
    agrees: isLost && missing === hops.at(-1),
    says: `Packets were ${from}not seen at ${missing.hop}, without a drop: not all components of Windows report drops.`,
  };
}

/** The name of the adapter of a packet without a route (src/cli/path/adapter.ts). */
const noAdapter = 'none';

function hopText({ place, name }: PredictedHop): string {
  if (place === 'adapter' && name === noAdapter) return 'routes of the node';
  return place === 'port' || name.startsWith('endpoint ') ? `${place} of ${name}` : `${place} ${name}`;
}

function isAt({ place, id, name }: PredictedHop, { kind, endpoint, where }: Hop): boolean {
  // A missing route is predicted at no adapter; TCP/IP reports it.
  if (place === 'adapter' && name === noAdapter) return kind === 'node';
  if (kind !== place) return false;
  if (endpoint !== undefined && id !== undefined) return endpoint.toLowerCase() === id.toLowerCase();
  return place !== 'adapter' || where.endsWith(` ${name}`) || where.includes(` ${name},`);
}
