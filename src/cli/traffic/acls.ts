import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { findById, type Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type AclRow, aclRows, describeTuple } from '../inventory/acl-row.ts';
import { type Direction, matchPacket } from './match.ts';
import type { Packet } from './packet.ts';

/** What the ACLs of an endpoint decide about the first packet of a connection. */
export interface AclDecision {
  readonly decision: 'allow' | 'block' | 'unknown';
  /** The deciding ACL, or what is unknown. */
  readonly rule: string;
  /** A sentence; empty if the packet is allowed. */
  readonly because: string;
}

/** Policies that allow, block or redirect packets in ways that HNS does not document in detail. */
const unevaluated = ['TierAcl', 'NetworkACL', 'L4WFPPROXY', 'L4Proxy'];

const undocumented =
  'they decide differently by RuleType, or before and after a translation, and HNS does not document which one applies';

/**
 * Returns what an endpoint's ACLs decide about a packet, given in each form that they may see. HNS documents neither whether ACLs see a
 * packet before or after its translation, nor how it orders ACLs with RuleType Host and Switch. A Switch ACL that blocks decides: Calico's
 * policies rely on it beside a Host ACL of an earlier priority that allows everything. Otherwise all forms and each type alone must lead
 * to the same action. An ACL without RuleType is of both: azure-vnet allows with such ACLs what its Switch ACLs do not block.
 */
export function decideAcls(
  endpoint: ObservedEndpoint,
  direction: Direction,
  forms: readonly Packet[],
  { networks }: Pick<Inventory, 'networks'>,
): AclDecision {
  const network = findById(networks, endpoint.HostComputeNetwork);
  const policies = [...(endpoint.Policies ?? []), ...(network?.Policies ?? [])];
  const other = unevaluated.find((type) => policies.some((policy) => isPolicyOf(type, policy)));
  if (other !== undefined)
    return unknown(`the endpoint or its network has ${other} policies, which win-hcn does not evaluate`);
  const acls = aclRows(endpoint.Policies ?? []).filter((acl) => acl.direction === direction);
  const inSwitch = acls.filter(({ ruleType }) => ruleType === 'Switch');
  const bySwitch = forms.map((packet) => firstMatch(inSwitch, direction, packet));
  const [blocked] = bySwitch;
  if (blocked !== undefined && bySwitch.every(({ decision }) => decision === 'block')) return blocked;
  const types = [...new Set(acls.flatMap(({ ruleType = [] }) => ruleType))];
  const ofType = (type: string) => acls.filter(({ ruleType = type }) => ruleType === type);
  const [first, ...others] = forms.flatMap((packet) =>
    [acls, ...types.map(ofType)].map((some) => firstMatch(some, direction, packet)),
  );
  if (first === undefined || others.every(({ decision }) => decision === first.decision))
    return first ?? allowed;
  return unknown(undocumented);
}

const allowed: AclDecision = { decision: 'allow', rule: 'no ACL', because: '' };

function unknown(reason: string): AclDecision {
  return { decision: 'unknown', rule: reason, because: `ACLs may block it: ${reason}.` };
}

/** The first match decides; ACLs with the same priority rank equally, and HNS's default ranks last. */
function firstMatch(acls: readonly AclRow[], direction: Direction, packet: Packet): AclDecision {
  const evaluated = acls.map((acl) => ({ acl, match: matchPacket(acl, direction, packet) }));
  const first = evaluated.find(({ match }) => match === true)?.acl;
  if (first === undefined) return allowed;
  const candidates = evaluated.filter(({ acl, match }) =>
    match === true ? rank(acl) === rank(first) : match !== false && rank(acl) <= rank(first),
  );
  const isSame = candidates.every(({ acl }) => acl.action === first.action);
  const missing = candidates.flatMap(({ match }) => (typeof match === 'object' ? match.missing : []));
  if (!isSame)
    return unknown(
      missing[0] ?? `${direction} ACLs with ${priorityText(first)} conflict: give them different priorities`,
    );
  const rule = first.hnsDefault
    ? `no ${direction} ACL matches`
    : `${direction} ACL with ${priorityText(first)} (${describeTuple(first)})`;
  if (first.action === 'Allow') return { decision: 'allow', rule, because: '' };
  return { decision: 'block', rule, because: first.hnsDefault ? hnsDefault : `${rule} blocks it.` };
}

const hnsDefault = 'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.';

/** ACLs without a priority rank after those with one. */
function rank({ priority, hnsDefault: isDefault }: AclRow): number {
  return isDefault ? Number.POSITIVE_INFINITY : (priority ?? Number.MAX_VALUE);
}

function priorityText({ priority }: AclRow): string {
  return priority === undefined ? 'no priority' : `priority ${priority}`;
}
