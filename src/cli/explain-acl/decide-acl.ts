import type { AclRow } from '../inventory/acl-row.ts';
import { type Decides, type Judgement, matchTuple, type Traffic } from '../traffic/match-tuple.ts';

/** An access rule, and whether it is for the traffic. */
export interface AclLine extends Judgement {
  readonly acl: AclRow;
  readonly decides: Decides;
}

export interface AclDecision {
  /** HNS's word for what happens; absent where that cannot be told. */
  readonly action?: string;
  /** Why it cannot: rules of one priority contradict each other, or too little is said of the traffic or in a rule. */
  readonly open?: 'equal priority' | 'too little said';
  /** In the order in which they count; none where there are no ACLs. */
  readonly lines: readonly AclLine[];
}

/**
 * What becomes of traffic, from the ACLs of its direction in the order in which they count, HNS's own last: the first that matches
 * decides, and those of one priority count alike. Without any ACL it is allowed.
 */
export function decideAcl(acls: readonly AclRow[], traffic: Traffic): AclDecision {
  const judged = acls.map((acl) => ({ acl, ...matchTuple(acl, traffic) }));
  const first = judged.find(({ matches }) => matches === 'yes');
  if (first === undefined) return { action: 'Allow', lines: [] };
  const last = rank(first.acl);
  const candidates = judged.filter(
    ({ acl, matches }) =>
      (matches === 'yes' && rank(acl) === last) || (matches === 'unknown' && rank(acl) <= last),
  );
  const certain = candidates.filter(({ matches }) => matches === 'yes');
  const [action, ...others] = actionsOf(candidates);
  const isSettled = others.length === 0 && certain.length === candidates.length;
  const decides = (line: (typeof judged)[number]): Decides => {
    if (isSettled) return line === first ? 'yes' : 'no';
    return candidates.includes(line) ? 'may' : 'no';
  };
  return {
    ...(action !== undefined && others.length === 0
      ? { action }
      : { open: actionsOf(certain).length > 1 ? 'equal priority' : 'too little said' }),
    lines: judged.map((line) => ({ ...line, decides: decides(line) })),
  };
}

function actionsOf(lines: readonly Pick<AclLine, 'acl'>[]): readonly string[] {
  return [...new Set(lines.map(({ acl }) => acl.action))];
}

/** A rule without a priority counts after those that have one, and HNS's own after all. */
function rank({ priority, hidden }: AclRow): number {
  return hidden ? Number.POSITIVE_INFINITY : (priority ?? Number.MAX_VALUE);
}
