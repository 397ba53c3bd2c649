import type { Policy } from '../hcn/documents.ts';
import { type Family, families, familyOf } from '../net/address.ts';
import { canonicalPrefix, withoutContained } from '../net/prefix.ts';

/**
 * The same translation in the fewest policies that HNS accepts. Policies without destinations that differ only in their exceptions
 * are merged at the place of the first; one with destinations stays separate, because they narrow what it translates. Lists of both
 * families are split into a policy for each (Azure/AgentBaker#3049). Addresses of a family outside `of`, the endpoint's families, are
 * left out; an empty `of` means unknown and keeps all. Prefixes that another one in the list contains are left out.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function mergeOutboundNat(policies: readonly Policy[], of: readonly Family[]): readonly Policy[] {
  const merged = policies.flatMap((policy, index): readonly Merged[] => {
    if (policy.Type !== 'OutBoundNAT') return [{ policy }];
    if (!isMergeable(policy)) return byFamily(policy, listOf(policy, 'Exceptions'), of);
    const isAlike = (other: Policy) => isMergeable(other) && likeness(other) === likeness(policy);
    if (policies.findIndex(isAlike) !== index) return [];
    const exceptions = policies.filter(isAlike).flatMap((alike) => listOf(alike, 'Exceptions'));
    return byFamily(policy, exceptions, of);
  });
  const isGeneral = ({ policy, isEmptied }: Merged) => isMergeable(policy) && !isEmptied;
  const isNeeded = (one: Merged) =>
    !one.isEmptied || (!merged.some(isGeneral) && merged.find(({ isEmptied }) => isEmptied) === one);
  return merged.filter(isNeeded).map(({ policy }) => policy);
}

/** `isEmptied`: all its exceptions are of a family the endpoint lacks. Such a policy is needed only if no other one translates. */
interface Merged {
  readonly policy: Policy;
  readonly isEmptied?: boolean;
}

function isMergeable(policy: Policy): boolean {
  return policy.Type === 'OutBoundNAT' && listOf(policy, 'Destinations').length === 0;
}

/** What policies must share to be one; HNS takes an absent member as its default value. */
function likeness({ Settings = {} }: Policy): string {
  const { VirtualIP = '', Flags = 0, MaxPortPoolUsage = 0 } = Settings;
  return JSON.stringify([VirtualIP, Flags, MaxPortPoolUsage]);
}

/**
 * One policy for each family in its lists; with a virtual address, only for that address's family. A policy that would lose all its
 * destinations is dropped: without any it would translate everything. So is one with a virtual address of a family the endpoint lacks.
 */
function byFamily(policy: Policy, exceptions: readonly string[], of: readonly Family[]): readonly Merged[] {
  const destinations = listOf(policy, 'Destinations');
  const { VirtualIP } = policy.Settings ?? {};
  const isNarrow = destinations.length > 0;
  const named = VirtualIP ? [String(VirtualIP)] : isNarrow ? destinations : exceptions;
  const kept = families.filter(
    (family) => (of.length === 0 || of.includes(family)) && named.some((text) => familyOf(text) === family),
  );
  if (kept.length === 0) {
    if (isNarrow || VirtualIP) return [];
    return [{ policy: withLists(policy, [], []), isEmptied: exceptions.length > 0 }];
  }
  return kept.flatMap((family) => {
    const [to = [], except = []] = [destinations, exceptions].map((list) =>
      list.filter((text) => familyOf(text) === family),
    );
    return isNarrow && to.length === 0 ? [] : [{ policy: withLists(policy, to, except) }];
  });
}

function withLists(
  { Type, Settings = {} }: Policy,
  destinations: readonly string[],
  exceptions: readonly string[],
): Policy {
  const { Exceptions: _exceptions, Destinations: _destinations, ...rest } = Settings;
  return {
    Type,
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

/**
 * Whether two lists of policies translate alike for an endpoint with addresses of these families, however many policies that takes:
 * HNS may show several as one, and earlier builds of win-hcn sent both families in one, those the endpoint lacks included.
 */
export function isSameOutboundNat(
  wanted: readonly Policy[],
  observed: readonly Policy[],
  of: readonly Family[],
): boolean {
  return summaryOf(wanted, of) === summaryOf(observed, of);
}

/** Everything that the policies of a list name, each once and in order. */
function summaryOf(policies: readonly Policy[], of: readonly Family[]): string {
  const nat = policies.filter(({ Type }) => Type.toLowerCase() === 'outboundnat');
  const all = (member: string) => {
    const named = nat.flatMap((policy) => listOf(policy, member));
    return [...new Set(named)].filter((text) => of.includes(familyOf(text))).toSorted();
  };
  const others = new Set(nat.map((policy) => likeness(policy)));
  return JSON.stringify([all('Exceptions'), all('Destinations'), [...others].toSorted()]);
}
