import type { NetworkConfig } from '../../config/network-config.ts';
import { isPolicyOf } from '../../plan/observed-network.ts';
import { aclPolicy, portMappingAcls } from '../../plan/policies.ts';
import { type AclSettings, overlap } from './acl-overlap.ts';

/** An ACL of a configuration, and the JSON pointer of the member it comes from. */
interface Acl {
  readonly path: string;
  readonly settings: AclSettings;
}

/** Two ACLs of one direction and priority that can match the same traffic and differ in action; `acl` comes after `earlier`. */
export interface AclTie {
  readonly acl: Acl;
  readonly earlier: Acl;
}

/**
 * The ACLs of a configuration that tie with an earlier one, each paired with the first it ties with. HNS chooses which one applies
 * (projectcalico/calico, felix/dataplane/windows/policysets/policysets.go). The rules of `defaultAction` have the lowest priority.
 */
export function aclTies(config: NetworkConfig): readonly AclTie[] {
  const acls = aclsOf(config);
  return acls.flatMap((acl, index) => {
    const earlier = acls.slice(0, index).find((other) => isTie(acl.settings, other.settings));
    return earlier === undefined ? [] : [{ acl, earlier }];
  });
}

function isTie(one: AclSettings, other: AclSettings): boolean {
  const isSame = (member: string) => one[member] === other[member];
  return isSame('Direction') && isSame('Priority') && !isSame('Action') && overlap(one, other);
}

function aclsOf({ acls, endpointPolicies, portMapping, behavior }: NetworkConfig): readonly Acl[] {
  const mapped = portMapping.allowAcl ? portMappingAcls(anyMapping, behavior.portMappingRuleType) : [];
  return [
    ...acls.map((acl, index) => ({ path: `/acls/${index}`, settings: aclPolicy(acl).Settings ?? {} })),
    ...mapped.map(({ Settings: { LocalPorts: _, ...settings } = {} }) => ({
      path: '/portMapping/allowAcl',
      settings,
    })),
    ...endpointPolicies.flatMap((policy, index) =>
      isPolicyOf('ACL', policy)
        ? [{ path: `/endpointPolicies/${index}`, settings: policy.Settings ?? {} }]
        : [],
    ),
  ];
}

/** A pod's port mappings are unknown here, so these stand for all of them. */
const anyMapping = (['tcp', 'udp'] as const).map((protocol) => ({
  protocol,
  hostPort: 1,
  containerPort: 1,
}));
