import type { Policy } from '../hcn/documents.ts';
import { isObject } from '../json/members.ts';
import { endpointSettings, networkSettings } from './policy-settings.ts';
import type { Reader } from './policy-values.ts';
import type { Problems } from './problems.ts';

/**
 * Policies in the form HCN takes: canonical addresses, host bits cleared, numbers for words, lists without spaces. Adds to
 * `problems` what the schema cannot say. Every policy has Settings, `{}` if none are given, as flannel and hns.v2.psm1
 * send them.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#EndpointPolicy
 */
export function readEndpointPolicies(policies: readonly Policy[], problems: Problems): readonly Policy[] {
  const path = '/endpointPolicies';
  policies.forEach(({ Type }, index) => {
    if (Type !== 'InterfaceParameters' || policies.findIndex((policy) => policy.Type === Type) === index)
      return;
    problems.value(`${path}/${index}/Type`, Type, 'only one policy of this type');
  });
  return readPolicies(policies, endpointSettings, path, problems);
}

/** As above. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NetworkPolicy */
export function readNetworkPolicies(policies: readonly Policy[], problems: Problems): readonly Policy[] {
  return readPolicies(policies, networkSettings, '/networkPolicies', problems);
}

function readPolicies(
  policies: readonly Policy[],
  types: ReadonlyMap<string, Reader>,
  path: string,
  problems: Problems,
): readonly Policy[] {
  return policies.map(({ Type, Settings }, index) => {
    const reader = Settings === undefined ? undefined : types.get(Type);
    const read = reader?.(Settings, `${path}/${index}/Settings`, problems) ?? Settings;
    return { Type, Settings: isObject(read) ? read : {} };
  });
}
