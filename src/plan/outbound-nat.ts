import type { Policy } from '../hcn/documents.ts';
import { type Family, families, familyOf } from '../net/address.ts';
import { withoutContained, withoutCovered } from '../net/overlaps.ts';
import { canonicalPrefix } from '../net/prefix.ts';

/**
 * Returns the same address translation in the fewest policies that HNS accepts:
 * - Policies without destinations that differ only in their exceptions are merged at the position of the first.
 * - A policy with destinations remains separate, because destinations narrow what it translates.
 * - Lists with both families are split into one policy per family (Azure/AgentBaker#3049).
 * - Addresses of a family that the endpoint does not have are removed. Empty `endpointFamilies` means unknown and keeps all.
 * - Prefixes contained in another prefix of the list are removed.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
export function mergeOutboundNat(
  policies: readonly Policy[],
  endpointFamilies: readonly Family[],
): readonly Policy[] {
  const mergeable = Map.groupBy(policies.filter(isMergeable), mergeKey);
  const merged = policies.flatMap((policy): readonly Merged[] => {
    if (policy.Type !== 'OutBoundNAT') return [{ policy }];
    if (!isMergeable(policy)) return byFamily(policy, listOf(policy, 'Exceptions'), endpointFamilies);
    const key = mergeKey(policy);
    const exceptions = mergeable.get(key)?.flatMap((alike) => listOf(alike, 'Exceptions'));
    mergeable.delete(key);
    return exceptions === undefined ? [] : byFamily(policy, exceptions, endpointFamilies);
  });
  const isGeneral = merged.some(({ policy, isEmptied }) => isMergeable(policy) && !isEmptied);
  const needed = isGeneral ? undefined : merged.find(({ isEmptied }) => isEmptied);
  return merged.filter((item) => !item.isEmptied || item === needed).map(({ policy }) => policy);
}

/** `isEmptied`: no exception is of a family that the endpoint has. The policy is needed only if no other one translates. */
interface Merged {
  readonly policy: Policy;
  readonly isEmptied?: boolean;
}

function isMergeable(policy: Policy): boolean {
  return policy.Type === 'OutBoundNAT' && listOf(policy, 'Destinations').length === 0;
}

/** Policies with the same key can be merged. HNS reads an absent member as its default value. */
function mergeKey({ Settings = {} }: Policy): string {
  const { VirtualIP = '', Flags = 0, MaxPortPoolUsage = 0 } = Settings;
  return JSON.stringify([VirtualIP, Flags, MaxPortPoolUsage]);
}

/**
 * Splits a policy into one policy per family in its lists; with a virtual address, only that address's family is kept. A policy is dropped
 * if it would lose all its destinations, because it would then translate everything, or if the endpoint lacks its virtual address's family.
 */
function byFamily(
  policy: Policy,
  exceptions: readonly string[],
  endpointFamilies: readonly Family[],
): readonly Merged[] {
  const destinations = listOf(policy, 'Destinations');
  const { VirtualIP } = policy.Settings ?? {};
  const isNarrow = destinations.length > 0;
  const named = VirtualIP ? [String(VirtualIP)] : isNarrow ? destinations : exceptions;
  const kept = families.filter(
    (family) =>
      (endpointFamilies.length === 0 || endpointFamilies.includes(family)) &&
      named.some((text) => familyOf(text) === family),
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
 * Whether two lists of policies translate the same traffic of an endpoint with these families, in any number of policies: HNS may return
 * several as one, and earlier builds of win-hcn sent both families in one policy, including a family that the endpoint lacks. The observed
 * policies may have more exceptions: HNS may add some.
 */
export function isSameOutboundNat(
  wanted: readonly Policy[],
  observed: readonly Policy[],
  endpointFamilies: readonly Family[],
): boolean {
  const [summary, other] = [wanted, observed].map((policies) => natSummary(policies, endpointFamilies));
  const isMissing = (text: string) => endpointFamilies.includes(familyOf(text));
  return summary === other && !missingExceptions(wanted, observed).some(isMissing);
}

/** The exceptions of the wanted policies that the observed ones lack; none if the observed ones translate nothing. */
export function missingExceptions(wanted: readonly Policy[], observed: readonly Policy[]): readonly string[] {
  const exceptions = generalPolicies(wanted).flatMap((policy) => listOf(policy, 'Exceptions'));
  return subnetsWithoutException(observed, exceptions);
}

/** The subnets to which policies translate; none if they translate nothing. */
export function subnetsWithoutException(
  policies: readonly Policy[],
  subnets: readonly string[],
): readonly string[] {
  const general = generalPolicies(policies);
  if (general.length === 0) return [];
  const exceptions = general.flatMap((policy) => listOf(policy, 'Exceptions'));
  return withoutCovered(subnets, exceptions);
}

/** The policies that translate what they do not except. */
function generalPolicies(policies: readonly Policy[]): readonly Policy[] {
  return policies.filter(
    (policy) => policy.Type.toLowerCase() === 'outboundnat' && listOf(policy, 'Destinations').length === 0,
  );
}

/** The sorted settings of all outbound NAT policies but for their exceptions, without duplicates. */
function natSummary(policies: readonly Policy[], endpointFamilies: readonly Family[]): string {
  const nat = policies.filter(({ Type }) => Type.toLowerCase() === 'outboundnat');
  const listed = new Set(nat.flatMap((policy) => listOf(policy, 'Destinations')));
  const destinations = [...listed].filter((text) => endpointFamilies.includes(familyOf(text)));
  const keys = new Set(nat.map(mergeKey));
  return JSON.stringify([destinations.toSorted(), [...keys].toSorted()]);
}
