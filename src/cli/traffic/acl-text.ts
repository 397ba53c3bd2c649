import { type AclRow, describeTuple } from '../inventory/acl-row.ts';
import type { EvaluatedAcl } from './acl-decision.ts';

/** The information that the evaluation of these ACLs lacks. */
export function missingInformation(lines: readonly EvaluatedAcl[]): string {
  const unknown = lines.filter(({ matches }) => matches === 'unknown');
  return [...new Set(unknown.map(({ because }) => because))].join('; ');
}

/** Why an action with the reason `rule types` is unknown. */
export const ruleTypesConflict =
  'ACLs with RuleType Host and Switch decide differently, and HNS does not document which ones apply';

export const ruleTypesHint =
  "Calico's agent adds Host ACLs that allow everything, and blocks with Switch ACLs.";

/** `priority 200 (tcp, remote port 80)` */
export function describeAcl(acl: AclRow): string {
  return `${describePriority(acl)} (${describeTuple(acl)})`;
}

/** `priority 200`, or `no priority` */
export function describePriority({ priority }: AclRow): string {
  return priority === undefined ? 'no priority' : `priority ${priority}`;
}

/** A sentence as the continuation of another one. */
export function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
