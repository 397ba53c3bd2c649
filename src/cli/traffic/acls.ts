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

/** Policies that allow, block or redirect packets in ways that HNS does not document in detail. */
const unevaluated: Readonly<Record<Direction, readonly string[]>> = {
  In: ['TierAcl', 'NetworkACL'],
  Out: ['TierAcl', 'NetworkACL', 'L4WFPPROXY', 'L4Proxy'],
};

const undocumented =
  'they decide differently by RuleType, or before and after a translation, and HNS does not document which one applies';

const hnsDefault = 'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.';

/**
 * Returns what an endpoint's ACLs decide about a packet, given in each form that they may see. HNS documents neither whether ACLs see a
 * packet before or after its translation, nor how it orders ACLs with RuleType Host and Switch: Calico adds Host ACLs that allow
 * everything, and blocks with Switch ACLs of a later priority. So all forms and each type alone must lead to the same action.
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
  const types = new Set(acls.filter(({ hidden }) => !hidden).map(ruleTypeOf));
  const ofTypes = [...types].map((type) => acls.filter((acl) => acl.hidden || ruleTypeOf(acl) === type));
  const views = forms.flatMap((packet) =>
    [acls, ...ofTypes].map((some) =>
      firstMatch(some.map((acl) => ({ acl, ...matchPacket(acl, direction, packet) }))),
    ),
  );
  const [{ action, deciding } = { deciding: [] }] = views;
  const isSame = views.every((view) => view.action === action);
  const mayDecide = new Set(
    (isSame ? deciding : views.flatMap((view) => view.deciding)).map(({ acl }) => acl),
  );
  const isCertain = action !== undefined && isSame && deciding.every(({ matches }) => matches === 'yes');
  const rules = acls.map((acl): Rule => {
    const decides = !mayDecide.has(acl) ? 'no' : isCertain ? 'yes' : 'may';
    return { stage: 'ACL', text: aclText(acl), decides, ...matchPacket(acl, direction, forms[0]) };
  });
  const open = (reason: string): AclDecision => ({
    decision: 'unknown',
    rule: reason,
    because: `ACLs may block it: ${reason}.`,
    rules,
  });
  if (other !== undefined)
    return open(`the endpoint or its network has ${other} policies, which win-hcn does not evaluate`);
  const [first] = deciding;
  if (first === undefined) return { decision: 'allow', rule: 'no ACL', because: '', rules };
  if (action === undefined) return open(whyOpen(deciding, first.acl, direction));
  if (!isSame) return open(undocumented);
  const rule =
    deciding.length > 1
      ? `any of ${deciding.length} ${direction} ACLs that may match`
      : first.acl.hidden
        ? `no ${direction} ACL matches`
        : `${direction} ACL with ${priorityText(first.acl)} (${describeTuple(first.acl)})`;
  if (action === 'Allow') return { decision: 'allow', rule, because: '', rules };
  const because = first.acl.hidden && deciding.length === 1 ? hnsDefault : `${rule} blocks it.`;
  return { decision: 'block', rule, because, rules };
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

/** The first match decides; ACLs with the same priority rank equally, and HNS's default ranks last. */
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

/** The information that ACLs lack, or that they conflict. */
function whyOpen(deciding: readonly Evaluated[], first: AclRow, direction: Direction): string {
  const unknown = deciding.filter(({ matches }) => matches === 'unknown');
  const missing = [...new Set(unknown.flatMap(({ because }) => because ?? []))].join('; ');
  return missing || `${direction} ACLs with ${priorityText(first)} conflict: give them different priorities`;
}

/** ACLs without a priority rank after those with one. */
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
