import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../plan/observed-network.ts';
import type { EndpointRow } from '../inventory/endpoint-row.ts';
import type { AclDecision, AclLine } from './decide-acl.ts';

/** What makes a decision less certain than it looks, a sentence each. */
export function aclCaveats(
  { action, lines }: AclDecision,
  endpoint: ObservedEndpoint,
  network: ObservedNetwork | undefined,
  { health, state, stale }: EndpointRow,
): readonly string[] {
  const visible = lines.filter(({ acl }) => !acl.hidden);
  const types = new Set(visible.map(({ acl }) => acl.ruleType ?? 'Host'));
  const contradicts = ({ acl, matches, decides }: AclLine) =>
    acl.priority === undefined && matches !== 'no' && decides === 'no' && acl.action !== action;
  const has = (type: string, owner: ObservedEndpoint | ObservedNetwork | undefined) =>
    owner?.Policies?.some((policy) => isPolicyOf(type, policy)) === true;
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
    ...(has('TierAcl', endpoint)
      ? ['The endpoint has TierAcl policies as well, which are not looked at here.']
      : []),
    ...(has('NetworkACL', network)
      ? [`Network "${network?.Name}" has NetworkACL policies as well, which are not looked at here.`]
      : []),
    ...(health === 'ok' && state !== 'Degraded'
      ? []
      : [
          `HNS says that the endpoint is ${state} and its health ${health}: it may not have done what it was told.`,
        ]),
    ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
  ];
}
