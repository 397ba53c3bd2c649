import { aclColumns } from '../inventory/acl-columns.ts';
import { shortGuid } from '../inventory/shorten.ts';
import type { Session } from '../session.ts';
import { formatDestination, formatPort } from '../traffic/destination.ts';
import { linesTable } from '../traffic/lines-table.ts';
import { aclSentence } from './acl-sentence.ts';
import type { AclExplanation, Connection } from './explain-acl.ts';

/** What an endpoint's ACLs make of a connection, as people read it: what decides, what it leaves open, then all lines. */
export function aclText(explanation: AclExplanation, connection: Connection, session: Session): string {
  const { endpoint, network, lines, ignored, caveats, lacks, within } = explanation;
  const sentence =
    lacks === undefined
      ? (within ?? aclSentence(explanation, connection.direction, ignored.length > 0))
      : `Not by this endpoint: it has no ${lacks} address.`;
  const considered = lines.map(({ acl, ...line }) => {
    const { direction: _direction, ...cells } = aclColumns(acl);
    return { ...line, cells };
  });
  return [
    session.style('bold', sentence),
    ...[...ignored, ...caveats].map((caveat) => session.style('yellow', caveat)),
    '',
    `endpoint ${shortGuid(endpoint)} on ${network}, ${ends(explanation, connection)}`,
    ...(considered.length === 0 ? [] : [linesTable(considered, session)]),
  ].join('\n');
}

/** From where to where, as far as it was said. */
function ends({ addresses }: AclExplanation, { direction, remote, sourcePort }: Connection): string {
  const source = (address: string) => (sourcePort === undefined ? address : formatPort(address, sourcePort));
  const [own] = addresses;
  return direction === 'In'
    ? `from ${source(remote.address)}${own === undefined ? '' : ` to ${formatDestination({ ...remote, address: own })}`}`
    : `${own === undefined ? '' : `from ${source(own)} `}to ${formatDestination(remote)}`;
}
