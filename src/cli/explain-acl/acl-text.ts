import { type AclRow, aclColumns } from '../inventory/acl-row.ts';
import { describeTuple } from '../inventory/five-tuple.ts';
import { shortGuid } from '../inventory/short-text.ts';
import type { Session } from '../session.ts';
import { formatDestination, formatPort } from '../traffic/destination.ts';
import { ruleTable } from '../traffic/explanation-text.ts';
import type { AclExplanation, Connection, Direction, EvaluatedAcl } from './explain-acl.ts';

/** An explanation as text: the result, the caveats, then a table of all ACLs. */
export function aclText(explanation: AclExplanation, connection: Connection, session: Session): string {
  const { endpoint, network, lines, ignored, caveats } = explanation;
  const rules = lines.map(({ acl, ...line }) => {
    const { direction: _direction, ...cells } = aclColumns(acl);
    return { ...line, cells };
  });
  return [
    session.style('bold', resultSentence(explanation, connection.direction)),
    ...[...ignored, ...caveats].map((caveat) => session.style('yellow', caveat)),
    '',
    `endpoint ${shortGuid(endpoint)} on ${network}, ${formatEnds(explanation, connection)}`,
    ...(rules.length === 0 ? [] : [ruleTable(rules, session)]),
  ].join('\n');
}

function resultSentence(explanation: AclExplanation, direction: Direction): string {
  const { lacks, within, ignored } = explanation;
  if (lacks !== undefined) return `Not through this endpoint: it has no ${lacks} address.`;
  if (within !== undefined) return within;
  const sentence = decisionSentence(explanation, direction);
  return ignored.length === 0
    ? sentence
    : `By its ACLs alone, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function decisionSentence({ action, open, lines }: AclExplanation, direction: Direction): string {
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first, ...others] = deciding;
  if (first === undefined) return 'Allowed: the endpoint has no ACLs, and HNS blocks nothing by default.';
  const missing = missingInformation(deciding);
  switch (open) {
    case 'equal priority':
      return (
        `Unknown: ${direction} ACLs with ${describePriority(first.acl)} conflict, and HNS does not document which one applies. ` +
        'Give them different priorities.'
      );
    case 'missing information':
      return `Unknown: ${missing}.`;
    case undefined:
      break;
  }
  const result = action === 'Block' ? 'Blocked' : action === 'Allow' ? 'Allowed' : `${action}`;
  if (others.length > 0) return `${result} by any of the ${deciding.length} ACLs that may apply: ${missing}.`;
  return first.acl.hidden
    ? `${result}: no ${direction} ACL matches. Once an endpoint has an ACL, HNS blocks all traffic without a match.`
    : `${result}: the first matching ${direction} ACL has ${describePriority(first.acl)} (${describeTuple(first.acl)}).`;
}

function missingInformation(lines: readonly EvaluatedAcl[]): string {
  return [
    ...new Set(lines.flatMap(({ matches, because }) => (matches === 'unknown' ? (because ?? []) : []))),
  ].join('; ');
}

function describePriority({ priority }: AclRow): string {
  return priority === undefined ? 'no priority' : `priority ${priority}`;
}

/** `from 10.9.0.7 to 10.244.1.2:80/tcp`, or only the remote end if the endpoint has no address of the family. */
function formatEnds({ addresses }: AclExplanation, { direction, remote, sourcePort }: Connection): string {
  const source = (address: string) => (sourcePort === undefined ? address : formatPort(address, sourcePort));
  const [own] = addresses;
  return direction === 'In'
    ? `from ${source(remote.address)}${own === undefined ? '' : ` to ${formatDestination({ ...remote, address: own })}`}`
    : `${own === undefined ? '' : `from ${source(own)} `}to ${formatDestination(remote)}`;
}
