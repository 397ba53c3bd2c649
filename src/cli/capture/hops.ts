import type { EndpointId } from '../../hcn/guid.ts';
import { countText } from '../terminal/short-text.ts';
import type { PacketEvent } from './log.ts';
import type { Place } from './places.ts';

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
interface HopDrop {
  readonly flow: Flow;
  readonly packets: number;
  readonly reason: string;
}

/** How many of the pod's packets one component saw. */
export interface Hop extends Readonly<Record<Flow, number>> {
  /** pktmon's number of the component. It changes when Windows restarts. */
  readonly component: number;
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
    const dropped = Map.groupBy(
      here.flatMap(({ flow, packet, drop }) => (drop === undefined ? [] : [{ flow, packet, reason: drop }])),
      ({ flow, reason }) => `${flow} ${reason}`,
    );
    return {
      component,
      ...(places.get(component) ?? { where: `component ${component}` }),
      sent: count('sent'),
      received: count('received'),
      other: count('other'),
      drops: [...dropped.values()].flatMap((group) =>
        group.slice(0, 1).map(({ flow, reason }) => ({ flow, packets: countPackets(group), reason })),
      ),
    };
  });
}

function countPackets(events: readonly Pick<PacketEvent, 'packet'>[]): number {
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

const flowTexts = { sent: 'from the pod ', received: 'to the pod ', other: '' } as const;

/** The result of a capture as sentences: the drops, and how many packets were seen. */
export function resultOf(hops: readonly Hop[], seconds: number): readonly string[] {
  if (hops.length === 0)
    return [`No packet matched the filters in ${seconds} s. Send traffic during the capture.`];
  const drops = hops.flatMap(({ where, drops: here }) =>
    here.map(({ flow, packets, reason }) => {
      const verb = packets === 1 ? 'was' : 'were';
      return `${countText(packets, 'packet')} ${flowTexts[flow]}${verb} dropped at ${where}: ${reason || 'pktmon gives no reason'}.`;
    }),
  );
  const most = (flow: Flow) => Math.max(...hops.map((hop) => hop[flow]));
  const noDrop = drops.length === 0 ? '; pktmon reports no drop' : '';
  return [...drops, `Seen: ${most('sent')} from the pod, ${most('received')} to the pod${noDrop}.`];
}
