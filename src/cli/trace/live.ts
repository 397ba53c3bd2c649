import type { Inventory } from '../../model/inventory.ts';
import { observedHops } from '../capture/observed.ts';
import { captureError } from '../capture/pktmon.ts';
import { maximumFilters, record } from '../capture/record.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import type { Trace } from './trace.ts';

/** What pktmon saw of the traced packets, in the order of their path. */
type Observation = Awaited<ReturnType<typeof observe>>;

/**
 * Records the packets between the sender and the destination, also as the predicted paths translate them; all packets of the sender if these
 * are too many. Throws CniError.
 */
export async function observe(
  traces: readonly Trace[],
  seconds: number,
  file: string | undefined,
  inventory: Inventory,
  session: Session,
) {
  const packets = traces.flatMap(({ packet, paths }) => [
    packet,
    ...paths.flatMap(({ hops }) => hops.map((hop) => hop.packet)),
  ]);
  const known = packets.filter(({ source }) => source !== '');
  if (known.length === 0)
    throw captureError('the source of the packets is not known: there is nothing to record');
  const senders = [...new Set(known.map(({ source }) => source))];
  const pairs = [
    ...new Map(
      known.map(({ source, destination }) => [`${source} ${destination}`, [source, destination]]),
    ).values(),
  ];
  const filters =
    pairs.length > maximumFilters ? senders.slice(0, maximumFilters).map((one) => [one]) : pairs;
  const log = await record({ filters, seconds, file }, session);
  return { seconds, hops: observedHops(log, senders, inventory), ...(file !== undefined && { file }) };
}

/** Whether packets were dropped, or none of the sender was seen. */
export function isDropped({ hops }: Observation): boolean {
  return hops.every(({ sent }) => sent === 0) || hops.some(({ drops }) => drops.length > 0);
}

/** An observation as text: how many packets were seen, and at which component. */
export function observationText({ seconds, hops, file }: Observation, session: Session): string {
  const most = (kind: 'sent' | 'replies') => Math.max(0, ...hops.map((hop) => hop[kind]));
  const dropped = hops.flatMap(({ drops }) => drops.map(({ packets }) => packets));
  const total = dropped.reduce((sum, packets) => sum + packets, 0);
  const sentence =
    hops.length === 0
      ? `pktmon saw no packet in ${seconds} s. Send traffic during the capture.`
      : `pktmon saw in ${seconds} s: ${countText(most('sent'), 'packet')} sent, ${most('replies')} of replies, ${total} dropped.`;
  const rows = hops.map((hop) => ({
    'seen at': hop.where,
    component: String(hop.component),
    sent: String(hop.sent),
    replies: String(hop.replies),
    dropped: hop.drops.map(({ packets, reason }) => `${packets}: ${reason}`).join(', ') || '-',
  }));
  const styleOf = (_title: string, row: number) => (hops[row]?.drops.length === 0 ? undefined : 'yellow');
  return [
    session.style('bold', wrapSentences(sentence, session.width)),
    ...(file === undefined ? [] : [`packets: ${file}`]),
    ...(rows.length === 0 ? [] : [rowsTable(rows, session, { prose: ['seen at', 'dropped'], styleOf })]),
  ].join('\n');
}
