import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { familyOf } from '../../net/address.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import { shortGuid } from '../inventory/shorten.ts';
import { backendAddresses, isFrontend } from '../traffic/backends.ts';
import type { AclDecision, AclLine } from './decide-acl.ts';

/** What makes a decision by ACLs less certain than it looks, a sentence each. */
export function aclCaveats({ action, lines }: AclDecision): readonly string[] {
  const visible = lines.filter(({ acl }) => !acl.hidden);
  const types = new Set(visible.map(({ acl }) => acl.ruleType ?? 'Host'));
  const contradicts = ({ acl, matches, decides }: AclLine) =>
    acl.priority === undefined && matches !== 'no' && decides === 'no' && acl.action !== action;
  return [
    ...(visible.some(contradicts)
      ? [
          'An ACL without a priority says otherwise. It is taken to come after those with one, and where HNS puts it is not known.',
        ]
      : []),
    ...(types.size > 1
      ? [
          'Some of these ACLs are of RuleType Host, others of Switch. How HNS orders the ones among the others is not documented; ' +
            'here their priorities are compared.',
        ]
      : []),
  ];
}

/** Policies that allow and block as ACLs do, and are not looked at, a sentence for each kind. */
export function otherAccessPolicies(
  endpoint: ObservedEndpoint,
  network: ObservedNetwork | undefined,
): readonly string[] {
  const has = (type: string, owner: ObservedEndpoint | ObservedNetwork | undefined) =>
    owner?.Policies?.some((policy) => isPolicyOf(type, policy)) === true;
  return [
    ...(has('TierAcl', endpoint) ? ['The endpoint has TierAcl policies, which are not looked at here.'] : []),
    ...(has('NetworkACL', network)
      ? [`Network "${network?.Name}" has NetworkACL policies, which are not looked at here.`]
      : []),
  ];
}

/** What a load balancer makes uncertain for ACLs about the remote address. */
export function serviceCaveats(address: string, inventory: Inventory): readonly string[] {
  return inventory.loadBalancers
    .filter((loadBalancer) => isFrontend(loadBalancer, address))
    .map((loadBalancer) => {
      const backends = backendAddresses(loadBalancer, inventory, familyOf(address));
      const also = backends.length === 0 ? '' : `: ask for ${backends.join(', ')} as well`;
      return (
        `${address} is the address of load balancer ${shortGuid(loadBalancer.ID)}. Whether HNS compares it or a backend's with the ACLs is ` +
        `not documented${also}.`
      );
    });
}

/** What the endpoint itself leaves to doubt. */
export function endpointCaveats({ health, state, stale }: EndpointRow): readonly string[] {
  return [
    ...(health === 'ok' && state !== 'Degraded'
      ? []
      : [
          `HNS says that the endpoint is ${state} and its health ${health}: it may not have done what it was told.`,
        ]),
    ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
  ];
}
