import { printable } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { formatDestination } from '../traffic/destination.ts';
import { packetText } from '../traffic/packet.ts';
import type { Hop, Way } from '../traffic/path.ts';
import { placeText, type Trace } from './trace.ts';

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
