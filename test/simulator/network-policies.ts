// Policies of networks: what a release knows of them beyond their schema.

import type { Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import { readPolicies } from './policies.ts';
import { isAtLeast } from './profiles.ts';
import type { Json, Release } from './schema/validate.ts';

/** flannel and hns.v2.psm1 add HostRoute after the network's creation. */
export function checkPoliciesAtCreation(policies: readonly Policy[], release: Release): void {
  const hasHostRoute = policies.some((policy) => policy.Type === 'HostRoute');
  if (hasHostRoute && release.switches.hostRouteAtCreation === 'refused')
    throw new HnsError('HCN_E_INVALID_POLICY');
}

export function readNetworkPolicies(given: Json | undefined, release: Release): Policy[] {
  const policies = readPolicies('network', given, release);
  for (const { Type, Settings = {} } of policies) {
    if (Type === 'HostRoute' && release.switches.hostRoute === 'refused')
      throw new HnsError('HCN_E_INVALID_POLICY_TYPE');
    if (Settings['PolicyType'] === 'NESTEDIPSET' && !isAtLeast(release.version, 15, 0))
      throw new HnsError('HCN_E_INVALID_POLICY');
  }
  return policies;
}
