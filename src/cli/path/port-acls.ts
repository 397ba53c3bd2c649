import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { type Direction, explainAcl } from '../traffic/acl-decision.ts';
import {
  describeAcl,
  describePriority,
  lowerFirst,
  missingInformation,
  ruleTypesConflict,
} from '../traffic/acl-text.ts';
import type { NodeState } from './node-state.ts';
import type { Packet } from './packet.ts';
import type { Evidence } from './path.ts';

/** What the ACLs of a port decide about the first packet of a connection. */
export type AclResult = {
  /** The deciding ACL. */
  readonly rule: string;
  readonly evidence: Evidence;
} & (
  | { readonly decision: 'allow' }
  /** `because`: the decision as a sentence. */
  | { readonly decision: 'block' | 'unknown'; readonly because: string }
);

/** Compares a packet with the ACLs of an endpoint, as explain-acl does. */
export function checkAcls(
  endpoint: ObservedEndpoint,
  direction: Direction,
  packet: Packet,
  { inventory }: NodeState,
): AclResult {
  const { source, destination, protocol, destinationPort: port, sourcePort } = packet;
  const {
    action,
    open: why,
    lines,
    ignored,
  } = explainAcl(
    endpoint,
    {
      direction,
      remote: {
        address: direction === 'In' ? source : destination,
        ...(port !== undefined && { port }),
        ...(protocol !== undefined && { protocol }),
      },
      ...(sourcePort !== undefined && { sourcePort }),
    },
    inventory,
  );
  const open = (reason: string): AclResult => ({
    decision: 'unknown',
    rule: reason,
    evidence: 'inferred',
    because: `ACLs may block it: ${reason}.`,
  });
  const [other] = ignored;
  if (other !== undefined) return open(lowerFirst(other).replace(/\.$/, ''));
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first] = deciding;
  const allowed = (rule: string): AclResult => ({ decision: 'allow', rule, evidence: 'documented' });
  if (first === undefined) return allowed('no ACL');
  const { acl } = first;
  if (why === 'rule types') return open(ruleTypesConflict);
  if (action === undefined)
    return open(missingInformation(deciding) || `ACLs with ${describePriority(acl)} conflict`);
  const rule = `${direction} ACL with ${describeAcl(acl)}`;
  if (action === 'Allow') return allowed(rule);
  return acl.hidden
    ? { decision: 'block', rule: `no ${direction} ACL matches`, evidence: 'reported', because: hnsDefault }
    : { decision: 'block', rule, evidence: 'documented', because: `${rule} blocks it.` };
}

const hnsDefault = 'No ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match.';
