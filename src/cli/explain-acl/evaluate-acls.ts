import type { AclRow } from '../inventory/acl-row.ts';
import { type EvaluatedRule, matchTraffic, type Traffic } from '../traffic/match-traffic.ts';

export interface EvaluatedAcl extends EvaluatedRule {
  readonly acl: AclRow;
}

export interface AclDecision {
  /** `Allow` or `Block`; absent if unknown. */
  readonly action?: string;
  /** Why the action is unknown: ACLs with the same priority conflict, or the traffic or an ACL lacks information. */
  readonly open?: 'equal priority' | 'missing information';
  /** In the order of evaluation; empty without ACLs. */
  readonly lines: readonly EvaluatedAcl[];
}

/**
 * Decides about traffic by the ACLs of its direction, given in their order with HNS's default last. The first match decides; ACLs with
 * the same priority rank equally. Without ACLs, traffic is allowed.
 */
export function evaluateAcls(acls: readonly AclRow[], traffic: Traffic): AclDecision {
  const evaluated = acls.map((acl) => ({ acl, ...matchTraffic(acl, traffic) }));
  const first = evaluated.find(({ matches }) => matches === 'yes');
  if (first === undefined) return { action: 'Allow', lines: [] };
  const last = rank(first.acl);
  const candidates = evaluated.filter(
    ({ acl, matches }) =>
      (matches === 'yes' && rank(acl) === last) || (matches === 'unknown' && rank(acl) <= last),
  );
  const certain = candidates.filter(({ matches }) => matches === 'yes');
  const [action, ...others] = actionsOf(candidates);
  const isSettled = others.length === 0 && certain.length === candidates.length;
  const decides = (line: (typeof evaluated)[number]): EvaluatedRule['decides'] => {
    if (isSettled) return line === first ? 'yes' : 'no';
    return candidates.includes(line) ? 'may' : 'no';
  };
  return {
    ...(action !== undefined && others.length === 0
      ? { action }
      : { open: actionsOf(certain).length > 1 ? 'equal priority' : 'missing information' }),
    lines: evaluated.map((line) => ({ ...line, decides: decides(line) })),
  };
}

function actionsOf(lines: readonly Pick<EvaluatedAcl, 'acl'>[]): readonly string[] {
  return [...new Set(lines.map(({ acl }) => acl.action))];
}

/** ACLs without a priority rank after those with one, HNS's default last. */
function rank({ priority, hidden }: AclRow): number {
  return hidden ? Number.POSITIVE_INFINITY : (priority ?? Number.MAX_VALUE);
}
