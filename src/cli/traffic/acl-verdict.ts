import { type AclExplanation, explainAcl } from './acl-decision.ts';
import {
  describeAcl,
  describePriority,
  lowerFirst,
  missingInformation,
  ruleTypesConflict,
} from './acl-text.ts';
import { type Destination, formatDestination } from './destination.ts';
import type { LoadBalancing } from './load-balancer-stage.ts';
import type { Query } from './query.ts';

/** Whether the endpoint's ACLs let the traffic leave the pod. */
export interface AclVerdict {
  /** `Allow` or `Block`; absent if unknown. */
  readonly action?: string;
  readonly sentence: string;
}

/** Evaluates the endpoint's ACLs as explain-acl does; undefined without ACLs. Behind a load balancer, for all its addresses. */
export function aclVerdict(query: Query, { backends = [], mapping }: LoadBalancing): AclVerdict | undefined {
  const { endpoint, inventory, destination, addresses } = query;
  const targets = backends
    .filter((address) => !addresses.includes(address))
    .map((address) => ({
      ...destination,
      address,
      ...(mapping !== undefined && { port: mapping.InternalPort }),
    }));
  const results = [destination, ...targets].map((remote) => ({
    remote,
    ...explainAcl(endpoint, { direction: 'Out', remote }, inventory),
  }));
  const [ignored] = results.flatMap((result) => result.ignored);
  if (ignored !== undefined) return { sentence: `ACLs may block it: ${lowerFirst(ignored)}` };
  const unknown = results.find(({ action }) => action === undefined);
  if (unknown !== undefined) return { sentence: `ACLs may block it: ${openText(unknown)}.` };
  const blocked = results.filter(({ action }) => action === 'Block');
  const [first] = blocked;
  const [anyAcl] = results.flatMap(({ lines }) => lines);
  if (first === undefined) return anyAcl && allowed;
  if (blocked.length === results.length) return { action: 'Block', sentence: `But ${blockText(first)}.` };
  const listed = (list: readonly { remote: Destination }[]) =>
    list.map(({ remote }) => formatDestination(remote)).join(' and ');
  return {
    sentence:
      `ACLs may block it: they block ${listed(blocked)}, not ${listed(results.filter((result) => !blocked.includes(result)))}, and HNS ` +
      'does not document whether they see the address of the load balancer or of the backend.',
  };
}

const allowed: AclVerdict = { action: 'Allow', sentence: 'ACLs allow it.' };

function openText({ open, lines }: AclExplanation): string {
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first] = deciding;
  if (open === 'rule types') return ruleTypesConflict;
  return open === 'equal priority' && first !== undefined
    ? `ACLs with ${describePriority(first.acl)} conflict, and HNS does not document which one applies`
    : missingInformation(deciding);
}

function blockText({ lines }: AclExplanation): string {
  const deciding = lines.filter(({ decides }) => decides !== 'no');
  const [first] = deciding;
  if (first === undefined || first.acl.hidden)
    return 'no ACL allows it: once an endpoint has an ACL, HNS blocks all traffic without a match';
  return deciding.length > 1
    ? `any of the ${deciding.length} ACLs that may apply blocks it: ${missingInformation(deciding)}`
    : `an ACL blocks it: ${describeAcl(first.acl)}`;
}
