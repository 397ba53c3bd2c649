import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type AclRow, aclRows, aclText, describeTuple } from '../inventory/acl-row.ts';
import { type Direction, type MatchResult, matchPacket, type Rule } from './match.ts';
import type { Packet } from './packet.ts';

/** What the ACLs of an endpoint decide about the first packet of a connection. */
export interface AclDecision {
  readonly decision: 'allow' | 'block' | 'unknown';
  /** The deciding ACL, or what is unknown. */
  readonly rule: string;
  /** A sentence; empty if the packet is allowed. */
  readonly because: string;
  /** In the order of evaluation; empty without ACLs. */
  readonly rules: readonly Rule[];
}

/**
 * Returns what an endpoint's ACLs decide about a packet, given in each form that they may see: HNS does not document whether ACLs see the
 * packet before or after the translation by a load balancer or port mapping. The first form counts if all lead to the same decision.
 */
export function decideAcls(
  endpoint: ObservedEndpoint,
  direction: Direction,
  forms: readonly [Packet, ...(readonly Packet[])],
  { networks }: Pick<Inventory, 'networks'>,
): AclDecision {
  const network = findById(networks, endpoint.HostComputeNetwork);
  const policies = [...(endpoint.Policies ?? []), ...(network?.Policies ?? [])];
  const other = unevaluated[direction].find((type) => policies.some((policy) => isPolicyOf(type, policy)));
  const acls = aclRows(endpoint.Policies ?? []).filter((acl) => acl.direction === direction);
  const [first, ...others] = forms;
  const decided = decide(acls, direction, first);
  if (other !== undefined)
    return open(
      `the endpoint or its network has ${other} policies, which win-hcn does not evaluate`,
      decided.rules,
    );
  if (acls.length === 0) return decided;
  const all = [decided, ...others.map((packet) => decide(acls, direction, packet))];
  const unknown = all.find(({ decision }) => decision === 'unknown');
  if (unknown !== undefined) return unknown;
  return all.every(({ decision }) => decision === decided.decision)
    ? decided
    : open(differently, decided.rules);
}

/** Policies that allow, block or redirect packets in ways that HNS does not document in detail. */
const unevaluated: Readonly<Record<Direction, readonly string[]>> = {
  In: ['TierAcl', 'NetworkACL'],
  Out: ['TierAcl', 'NetworkACL', 'L4WFPPROXY', 'L4Proxy'],
};

const differently =
  'they decide differently before and after the translation, and HNS does not document which of the two they see';

function open(reason: string, rules: readonly Rule[]): AclDecision {
  return { decision: 'unknown', rule: reason, because: `ACLs may block it: ${reason}.`, rules };
}

interface Evaluated extends MatchResult {
  readonly acl: AclRow;
}

interface FirstMatch {
  /** `Allow` or `Block`; absent if the ACLs that may decide differ. */
  readonly action?: string;
  /** The ACL that decides, or those that may. */
  readonly deciding: readonly Evaluated[];
}

/**
 * Decides by ACLs in their order, HNS's default last. HNS does not document how it orders ACLs with RuleType Host and Switch: Calico adds
 * Host ACLs that allow everything, and blocks with Switch ACLs of a later priority. So each type alone must lead to the same action.
 */
function decide(acls: readonly AclRow[], direction: Direction, packet: Packet): AclDecision {
  const evaluated = acls.map((acl) => ({ acl, ...matchPacket(acl, direction, packet) }));
  const whole = firstMatch(evaluated);
  const types = [...new Set(acls.filter(({ hidden }) => !hidden).map(ruleTypeOf))];
  const alone = types.map((type) =>
    firstMatch(evaluated.filter(({ acl }) => acl.hidden || ruleTypeOf(acl) === type)),
  );
  const isMixed = whole.action !== undefined && alone.some(({ action }) => action !== whole.action);
  const deciding = isMixed ? alone.flatMap((one) => one.deciding) : whole.deciding;
  const isCertain = deciding.length === 1 && deciding[0]?.matches === 'yes';
  const rules = evaluated.map((one): Rule => {
    const decides = !deciding.includes(one) ? 'no' : isCertain ? 'yes' : 'may';
    const { acl, matches, because } = one;
    return { stage: 'ACL', text: aclText(acl), matches, decides, ...(because && { because }) };
  });
  if (isMixed) return open(mixedTypes, rules);
  const [first] = deciding;
  if (first === undefined) return { decision: 'allow', rule: 'no ACL', because: '', rules };
  const missing = [
    ...new Set(deciding.flatMap(({ matches, because }) => (matches === 'unknown' ? (because ?? []) : []))),
  ].join('; ');
  if (whole.action === undefined)
    return open(
      missing || `${direction} ACLs with ${priorityText(first.acl)} conflict: give them different priorities`,
      rules,
    );
  const rule =
    deciding.length > 1
      ? `any of ${deciding.length} ${direction} ACLs that may match`
      : first.acl.hidden
        ? `no ${direction} ACL matches`
        : `${direction} ACL with ${priorityText(first.acl)} (${describeTuple(first.acl)})`;
  if (whole.action === 'Allow') return { decision: 'allow', rule, because: '', rules };
  const because = first.acl.hidden && deciding.length === 1 ? hnsDefault : `${rule} blocks it.`;
  return { decision: 'block', rule, because, rules };
}

const mixedTypes =
  'ACLs with RuleType Host and Switch decide differently, and HNS does not document which ones apply';

const hnsDefault = 'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.';

/** The first match decides; ACLs with the same priority rank equally. */
function firstMatch(evaluated: readonly Evaluated[]): FirstMatch {
  const first = evaluated.find(({ matches }) => matches === 'yes');
  if (first === undefined) return { action: 'Allow', deciding: [] };
  const last = rank(first.acl);
  const candidates = evaluated.filter(
    ({ acl, matches }) =>
      (matches === 'yes' && rank(acl) === last) || (matches === 'unknown' && rank(acl) <= last),
  );
  const [action, ...others] = new Set(candidates.map(({ acl }) => acl.action));
  if (action === undefined || others.length > 0) return { deciding: candidates };
  return { action, deciding: candidates.every(({ matches }) => matches === 'yes') ? [first] : candidates };
}

/** ACLs without a priority rank after those with one, HNS's default last. */
function rank({ priority, hidden }: AclRow): number {
  return hidden ? Number.POSITIVE_INFINITY : (priority ?? Number.MAX_VALUE);
}

/** HCN's default is Host. */
function ruleTypeOf({ ruleType }: AclRow): string {
  return ruleType ?? 'Host';
}

function priorityText({ priority }: AclRow): string {
  return priority === undefined ? 'no priority' : `priority ${priority}`;
}
