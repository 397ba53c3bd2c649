import type { Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type Destination, formatDestination } from '../traffic/destination.ts';
import type { ComparedPath, Findings, HopDrop } from './compare.ts';

/** The result of a capture. */
export interface CaptureReport extends Findings {
  readonly container: string;
  readonly pod?: string;
  /** Absent for all traffic. */
  readonly destinations?: readonly Destination[];
  /** pktmon's filters, in words. */
  readonly filters: readonly string[];
  /** What failed, sentences. */
  readonly lacks: readonly string[];
  /** The file with the packets; absent if none was asked for. */
  readonly file?: string;
}

/** A report as text: the result, the packets at each hop, and the predicted path beside what was seen. */
export function reportText(report: CaptureReport, session: Session): string {
  const { says, container, pod, destinations, filters, hops, predicted, lacks, file } = report;
  const [first = '', ...others] = says;
  const to = destinations === undefined ? '' : ` to ${destinations.map(formatDestination).join(' or ')}`;
  const about = `${pod === undefined ? `container ${container}` : `pod ${pod}`}${to}, filters: ${filters.join(', ')}`;
  const sentences = [...others, ...lacks.map((lack) => `Missing: ${lack}.`)];
  return [
    session.style('bold', wrapSentences(first, session.width)),
    ...sentences.map((sentence) => wrapSentences(sentence, session.width)),
    ...(file === undefined ? [] : [`packets: ${file}`]),
    '',
    wrapSentences(about, session.width),
    ...(hops.length === 0 ? [] : [hopTable(report, session)]),
    ...predicted.map((path) => `\n${pathTable(path, session)}`),
  ].join('\n');
}

function hopTable({ hops }: CaptureReport, session: Session): string {
  const rows = hops.map(({ where, component, sent, received, other, drops }) => ({
    'seen at': where,
    component: String(component),
    sent: String(sent),
    received: String(received),
    other: String(other),
    dropped: dropText(drops),
  }));
  return rowsTable(rows, session, {
    prose: ['seen at', 'dropped'],
    styleOf: (_title, row) => (hops[row]?.drops.length === 0 ? undefined : 'yellow'),
  });
}

function pathTable({ hops }: ComparedPath, session: Session): string {
  const rows = hops.map(({ hop, predicted, seen, drops }) => ({
    hop,
    predicted,
    seen: seen === undefined ? 'unknown' : String(seen),
    dropped: dropText(drops),
  }));
  return rowsTable(rows, session, {
    prose: ['hop', 'predicted', 'dropped'],
    styleOf: (_title, row) => (hops[row]?.drops.length === 0 ? undefined : 'yellow'),
  });
}

function dropText(drops: readonly HopDrop[]): string {
  return drops.map(({ packets, reason }) => `${packets}: ${reason || 'unknown reason'}`).join(', ') || '-';
}
