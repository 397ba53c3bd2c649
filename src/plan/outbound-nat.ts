import type { Policy } from '../hcn/documents.ts';
import { canonicalPrefix, withoutContained } from '../net/prefix.ts';

/**
 * The same translation in the fewest policies: those without destinations, and otherwise alike, become one at the place of
 * the first. One with destinations stays by itself, for they narrow what it translates. No list names what another of its
 * prefixes contains.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function mergeOutboundNat(policies: readonly Policy[]): readonly Policy[] {
  return policies.flatMap((policy, index) => {
    if (policy.Type !== 'OutBoundNAT') return [policy];
    if (!isMergeable(policy)) return [simplified(policy, listOf(policy, 'Exceptions'))];
    const isAlike = (other: Policy) => isMergeable(other) && likeness(other) === likeness(policy);
    if (policies.findIndex(isAlike) !== index) return [];
    const exceptions = policies.filter(isAlike).flatMap((alike) => listOf(alike, 'Exceptions'));
    return [simplified(policy, exceptions)];
  });
}

function isMergeable(policy: Policy): boolean {
  return policy.Type === 'OutBoundNAT' && listOf(policy, 'Destinations').length === 0;
}

/** What policies must share to be one; HNS takes an absent member as its default value. */
function likeness({ Settings = {} }: Policy): string {
  const { VirtualIP = '', Flags = 0, MaxPortPoolUsage = 0 } = Settings;
  return JSON.stringify([VirtualIP, Flags, MaxPortPoolUsage]);
}

function simplified(policy: Policy, exceptions: readonly string[]): Policy {
  const { Exceptions: _exceptions, Destinations: _destinations, ...rest } = policy.Settings ?? {};
  const destinations = listOf(policy, 'Destinations');
  return {
    Type: policy.Type,
    Settings: {
      ...rest,
      ...(destinations.length > 0 && { Destinations: withoutContained(destinations) }),
      ...(exceptions.length > 0 && { Exceptions: withoutContained(exceptions) }),
    },
  };
}

function listOf({ Settings }: Policy, member: string): readonly string[] {
  const list = Settings?.[member];
  return Array.isArray(list) ? list.map((text) => canonicalPrefix(String(text)) ?? String(text)) : [];
}
