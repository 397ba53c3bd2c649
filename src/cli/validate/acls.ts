import type { ConfigKeys } from '../../config/read-config.ts';
import type { Policy } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { aclPolicy, portMappingAcls } from '../../plan/policies.ts';

/** The Settings of an ACL policy, as HCN takes them: lists are comma-separated strings. */
export type AclSettings = NonNullable<Policy['Settings']>;

/** An ACL of a configuration, with the JSON pointer of its member. */
export interface Acl {
  readonly path: string;
  readonly settings: AclSettings;
  /** Returns the JSON pointer of a setting, such as `LocalPorts`. */
  readonly pathOf: (setting: string) => string;
}

type AclKeys = Pick<ConfigKeys, 'acls' | 'endpointPolicies' | 'networkPolicies' | 'portMapping' | 'behavior'>;

/** The ACLs of a configuration, in groups whose priorities HNS compares: those of the endpoint, the network, and each tier. */
export function aclGroups(config: AclKeys): readonly (readonly Acl[])[] {
  return [
    endpointAcls(config),
    policiesOf('NetworkACL', config.networkPolicies, '/networkPolicies'),
    ...tiers(config),
  ];
}

function endpointAcls({ acls, endpointPolicies, portMapping, behavior }: AclKeys): readonly Acl[] {
  const mapped = portMapping.allowAcl ? portMappingAcls(anyMapping, behavior.portMappingRuleType) : [];
  return [
    ...acls.map((acl, index) => {
      const path = `/acls/${index}`;
      const pathOf = (setting: string) => `${path}/${setting.charAt(0).toLowerCase()}${setting.slice(1)}`;
      return { path, settings: aclPolicy(acl).Settings ?? {}, pathOf };
    }),
    ...mapped.map(({ Settings: { LocalPorts: _, ...settings } = {} }) => {
      const path = '/portMapping/allowAcl';
      return { path, settings, pathOf: () => path };
    }),
    ...policiesOf('ACL', endpointPolicies, '/endpointPolicies'),
  ];
}

/** A pod's port mappings are unknown here, so these stand for all of them. */
const anyMapping = (['tcp', 'udp'] as const).map((protocol) => ({
  protocol,
  hostPort: 1,
  containerPort: 1,
}));

function policiesOf(type: string, policies: readonly Policy[], list: string): readonly Acl[] {
  return policies.flatMap((policy, index) => {
    const path = `${list}/${index}`;
    const pathOf = (setting: string) => `${path}/Settings/${setting}`;
    return isPolicyOf(type, policy) ? [{ path, settings: policy.Settings ?? {}, pathOf }] : [];
  });
}

/** The rules of each tier, with the tier's direction. Rules without a priority never tie. */
function tiers({ endpointPolicies }: AclKeys): readonly (readonly Acl[])[] {
  return policiesOf('TierAcl', endpointPolicies, '/endpointPolicies').map(({ settings, pathOf }) => {
    const { Direction, TierAclRules } = settings;
    const rules: readonly unknown[] = Array.isArray(TierAclRules) ? TierAclRules : [];
    return rules.filter(isObject).map((rule, index) => {
      const path = `${pathOf('TierAclRules')}/${index}`;
      const { Priority = path, TierAclRuleAction: Action } = rule;
      const ruleSettings = { ...rule, Direction, Priority, Action };
      return { path, settings: ruleSettings, pathOf: (setting: string) => `${path}/${setting}` };
    });
  });
}

/** HCN's number for any protocol. */
export const anyProtocol = '256';

/** The items of a list; undefined if it is absent or empty, so that everything matches. */
export function listIn(settings: AclSettings, member: string): readonly string[] | undefined {
  const list = settings[member];
  return typeof list === 'string' && list !== '' ? list.split(',') : undefined;
}
