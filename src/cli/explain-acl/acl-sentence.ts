import type { AclRow } from '../inventory/acl-row.ts';
import { describeTuple } from '../inventory/five-tuple.ts';
import type { AclDecision, AclLine } from './decide-acl.ts';
import type { Direction } from './explain-acl.ts';

/** A decision as a sentence, with what to do where there is none. `alone`: something else than ACLs may decide otherwise. */
export function aclSentence(decision: AclDecision, direction: Direction, alone: boolean): string {
  const sentence = ownSentence(decision, direction);
  return alone ? `By its ACLs alone, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}

function ownSentence({ action, open, lines }: AclDecision, direction: Direction): string {
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first, ...others] = deciding;
  if (first === undefined) return 'Allowed: the endpoint has no ACL, and then HNS blocks nothing by itself.';
  if (open === 'equal priority')
    return (
      `Not known: ${direction} ACLs of ${priorityOf(first.acl)} match and contradict each other, and which one HNS takes is not ` +
      'documented. Give them different priorities.'
    );
  const missing = missingOf(deciding);
  if (open !== undefined) return `It depends on what cannot be seen from here: ${missing}.`;
  const done = action === 'Block' ? 'Blocked' : action === 'Allow' ? 'Allowed' : `${action}`;
  if (others.length > 0) return `${done}, whichever of ${deciding.length} ACLs decides: ${missing}.`;
  return first.acl.hidden
    ? `${done}: no ${direction} ACL matches, and HNS blocks what none matches as soon as there is an ACL.`
    : `${done}: the ${direction} ACL of ${priorityOf(first.acl)} is the first that matches, which is for ${describeTuple(first.acl)}.`;
}

function missingOf(lines: readonly AclLine[]): string {
  return [
    ...new Set(lines.flatMap(({ matches, because }) => (matches === 'unknown' ? (because ?? []) : []))),
  ].join('; ');
}

function priorityOf({ priority }: AclRow): string {
  return priority === undefined ? 'no priority' : `priority ${priority}`;
}
