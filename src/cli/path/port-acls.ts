import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { describeAcl, lowerFirst, missingInformation } from '../explain-acl/decision-text.ts';
import { type Direction, explainAcl } from '../explain-acl/explain-acl.ts';
import type { NodeState } from './node-state.ts';
import type { Packet } from './packet.ts';

/** What the ACLs of a port decide about the first packet of a connection, with the rule. */
export interface AclResult {
  readonly decision: 'allow' | 'block' | 'unknown';
  readonly rule: string;
}

/** Compares a packet with the ACLs of an endpoint, as explain-acl does. */
export function checkAcls(
  endpoint: ObservedEndpoint,
  direction: Direction,
  packet: Packet,
  { inventory }: NodeState,
): AclResult {
  const { source, destination, protocol, destinationPort: port, sourcePort } = packet;
  const { action, lines, ignored } = explainAcl(
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
  const [other] = ignored;
  if (other !== undefined) return { decision: 'unknown', rule: lowerFirst(other).replace(/\.$/, '') };
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first] = deciding;
  if (first === undefined) return { decision: 'allow', rule: 'no ACL' };
  if (action === undefined)
    return {
      decision: 'unknown',
      rule: missingInformation(deciding) || `several ACLs with ${describeAcl(first.acl)}`,
    };
  const rule = first.acl.hidden
    ? 'no ACL allows it, and the endpoint has ACLs'
    : `ACL with ${describeAcl(first.acl)}`;
  return { decision: action === 'Allow' ? 'allow' : 'block', rule: `${direction} ${rule}` };
}
