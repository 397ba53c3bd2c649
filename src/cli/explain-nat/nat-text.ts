import { shortGuid } from '../inventory/shorten.ts';
import type { Session } from '../session.ts';
import { type Destination, formatDestination } from '../traffic/destination.ts';
import { linesTable } from '../traffic/lines-table.ts';
import type { NatExplanation } from './explain-nat.ts';

/** What HNS was told to do with what an endpoint sends, as people read it: what decides, then all lines. */
export function natText(
  { endpoint, network, addresses, says, lines }: NatExplanation,
  destination: Destination,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const from = addresses.length === 0 ? '' : `from ${addresses.join(' or ')} `;
  const considered = lines.map(({ stage, line, ...rest }) => ({ ...rest, cells: { stage, line } }));
  return [
    session.style('bold', first),
    ...others,
    '',
    `endpoint ${shortGuid(endpoint)} on ${network}, ${from}to ${formatDestination(destination)}`,
    ...(considered.length === 0 ? [] : [linesTable(considered, session)]),
  ].join('\n');
}
