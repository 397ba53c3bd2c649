import type { EndpointId } from '../../hcn/guid.ts';
import { packetText } from '../path/packet.ts';
import type { Hop } from '../path/path.ts';
import type { Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { formatDestination } from '../traffic/destination.ts';
import { ownerText } from '../traffic/explanation-text.ts';
import type { Trace, TracedPath } from './trace.ts';

/** A trace as text: the verdict, its reasons, the hops of the worst path, then commands that show more. `wide` shows all paths. */
export function traceText(
  { endpoint, network, packet, destination, says, outcome, paths }: Trace,
  pod: string | undefined,
  see: readonly string[],
  isWide: boolean,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const [worst] = paths;
  const owner = endpoint === undefined ? [] : [`${ownerText(endpoint, pod)} on ${network}`];
  const ends = packet?.source ? packetText(packet) : `to ${formatDestination(destination)}`;
  const lines = (path: TracedPath) => pathLines(path, endpoint, isWide, session);
  const tables = isWide
    ? paths.flatMap((path, index) => [
        ...(paths.length > 1 ? ['', `path ${index + 1} of ${paths.length}: ${path.because}`] : []),
        ...lines(path),
        ...(path.reply === undefined ? [] : ['', 'the reply', ...lines(path.reply)]),
      ])
    : [
        ...(worst === undefined ? [] : lines(worst)),
        ...(worst?.reply === undefined || worst.reply.outcome === 'arrives'
          ? []
          : ['', 'the reply', ...lines(worst.reply)]),
      ];
  return [
    session.style(outcome === 'unknown' ? 'yellow' : 'bold', wrapSentences(first, session.width)),
    ...others.map((sentence) => wrapSentences(sentence, session.width)),
    ...see.map((line) => `see: ${line}`),
    '',
    wrapSentences([...owner, ends].join(', '), session.width),
    ...tables,
  ].join('\n');
}

function pathLines(
  { hops }: TracedPath,
  sender: EndpointId | undefined,
  isWide: boolean,
  session: Session,
): readonly string[] {
  if (hops.length === 0) return [];
  const rows = hops.map((hop, index) => {
    const { did, rule, evidence, packet } = hop;
    const cells = {
      hop: `${index + 1}`,
      where: hop.id !== undefined && hop.id === sender ? hop.place : placeOf(hop),
      does: did,
      'rule (evidence)': `${rule === undefined ? '' : `${rule} `}(${evidence})`,
    };
    return isWide ? { ...cells, packet: packetText(packet) } : cells;
  });
  const last = rows.length - 1;
  return [
    rowsTable(rows, session, {
      prose: ['where', 'does', 'rule (evidence)'],
      styleOf: (_title, row) => (row === last ? 'bold' : undefined),
    }),
  ];
}

function placeOf({ place, name }: Hop): string {
  switch (place) {
    case 'pod':
      return name.startsWith('endpoint ') ? `pod of ${name}` : `pod ${name}`;
    case 'port':
      return `port of ${name}`;
    case 'virtual switch':
      return `network ${name}`;
    case 'node':
      return 'this node';
    case 'adapter':
      return `adapter ${name}`;
  }
}
