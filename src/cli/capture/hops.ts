import type { EndpointId } from '../../hcn/guid.ts';
import type { Count } from './parse-counters.ts';
import type { CaptureLog, PacketEvent } from './parse-log.ts';
import { type Place, type PlaceKind, unknownPlace } from './places.ts';

/** What one component saw of the pod's packets. */
export interface Hop {
  /** pktmon's number of the component. It changes when Windows restarts. */
  readonly component: number;
  readonly kind: PlaceKind;
  readonly where: string;
  readonly endpoint?: EndpointId;
  /** Packets from the pod. */
  readonly sent: number;
  /** Packets to the pod. */
  readonly received: number;
  /** Other packets that match the filters, such as ARP. */
  readonly other: number;
  readonly drops: readonly HopDrop[];
}

export interface HopDrop {
  readonly flow: Flow;
  readonly packets: number;
  /** As pktmon printed it. */
  readonly reason: string;
  readonly location?: string;
}

export type Flow = 'sent' | 'received' | 'other';

/** The addresses that tell the direction of a packet. */
export interface FlowEnds {
  /** The pod's addresses, and what they are translated to. */
  readonly local: readonly string[];
  /** The destination, and what it is translated to. Absent for any. */
  readonly remote?: readonly string[];
}

/** Counts packets at each component, once per component; the components are in the order in which packets from the pod reached them. */
export function hopsOf(
  { events }: Pick<CaptureLog, 'events'>,
  places: ReadonlyMap<number, Place>,
  ends: FlowEnds,
): readonly Hop[] {
  const flows = events.map((event) => ({ event, flow: flowOf(event, ends) }));
  const order = [
    ...flows.filter(({ flow }) => flow === 'sent'),
    ...flows.filter(({ flow }) => flow === 'other'),
    ...flows.filter(({ flow }) => flow === 'received').toReversed(),
  ];
  return [...new Set(order.map(({ event }) => event.component))].map((component) => {
    const here = flows.filter(({ event }) => event.component === component);
    const count = (wanted: Flow) =>
      new Set(here.filter(({ flow }) => flow === wanted).map(({ event }) => event.packet)).size;
    const { kind, label, endpoint } = places.get(component) ?? unknownPlace(component);
    return {
      component,
      kind,
      where: label,
      ...(endpoint !== undefined && { endpoint }),
      sent: count('sent'),
      received: count('received'),
      other: count('other'),
      drops: dropsIn(here),
    };
  });
}

/** The direction of a packet by its addresses; those of an inner header count as well, ARP does not. */
export function flowOf({ ends }: Pick<PacketEvent, 'ends'>, { local, remote }: FlowEnds): Flow {
  const isRemote = (address: string) => remote?.includes(address) ?? true;
  const ip = ends.filter(({ isArp }) => isArp !== true);
  if (ip.some(({ source, destination }) => local.includes(source) && isRemote(destination))) return 'sent';
  if (ip.some(({ source, destination }) => local.includes(destination) && isRemote(source)))
    return 'received';
  return 'other';
}

function dropsIn(here: readonly { readonly event: PacketEvent; readonly flow: Flow }[]): readonly HopDrop[] {
  const drops = new Map<string, { readonly drop: Omit<HopDrop, 'packets'>; readonly packets: Set<string> }>();
  for (const { event, flow } of here) {
    if (event.drop === undefined) continue;
    const key = JSON.stringify([flow, event.drop]);
    const known = drops.get(key) ?? { drop: { flow, ...event.drop }, packets: new Set() };
    drops.set(key, known);
    known.packets.add(event.packet);
  }
  return [...drops.values()].map(({ drop, packets }) => ({ ...drop, packets: packets.size }));
}

/** The same from counters, which have no addresses: in and out are those of the component, not of the pod. */
export function hopsFromCounters(
  counts: readonly Count[],
  places: ReadonlyMap<number, Place>,
): readonly Hop[] {
  const keyOf = ({ component, name, group }: Count) => JSON.stringify([component, name, group]);
  return [...new Set(counts.map(keyOf))].map((key) => {
    const here = counts.filter((one) => keyOf(one) === key);
    const [{ component = -1, name = '', group = '' } = { component: -1 }] = here;
    const { kind, label, endpoint } = places.get(component) ?? {
      kind: 'other' as const,
      label: `${name}${group === '' || group === name ? '' : ` (${group})`}`,
    };
    return {
      component,
      kind,
      where: label,
      ...(endpoint !== undefined && { endpoint }),
      sent: 0,
      received: 0,
      // Each edge of a component counts the same packets.
      other: Math.max(0, ...here.filter(({ drop }) => drop === undefined).map(({ packets }) => packets)),
      drops: here.flatMap(({ drop, packets }) =>
        drop === undefined ? [] : [{ flow: 'other' as const, packets, ...drop }],
      ),
    };
  });
}
