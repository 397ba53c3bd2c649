// Policies of networks and endpoints: reads, compares and changes lists of them.

import type { Policy } from './documents.ts';
import { HnsError, hresultOf } from './hresults.ts';
import { zeroGuid } from './object-id.ts';
import { checkPolicy } from './policy-rules.ts';
import { isAtLeast } from './profiles.ts';
import { endpointPolicies, networkPolicies, type PolicyType } from './schema/policy-settings.ts';
import type { Schema } from './schema/schema.ts';
import { isObject, type Json, type JsonObject, type Release, validateObject } from './schema/validate.ts';

const levels = { network: networkPolicies, endpoint: endpointPolicies };

export function readPolicies(
  level: 'network' | 'endpoint',
  given: Json | undefined,
  release: Release,
): Policy[] {
  if (!Array.isArray(given)) return [];
  const policies = given.map((policy: Json) => readPolicy(levels[level], policy, release));
  if (policies.filter((policy) => policy.Type === 'InterfaceParameters').length > 1)
    throw new HnsError('HCN_INTERFACEPARAMETERS_ALREADY_APPLIED');
  return policies;
}

function readPolicy(types: ReadonlyMap<string, PolicyType>, given: Json, release: Release): Policy {
  const [name, type] = isObject(given) ? findType(types, given['Type'], release) : [];
  if (!isObject(given) || !name || !type) throw new HnsError('HCN_E_INVALID_POLICY_TYPE');
  if (given['Settings'] == null && release.switches.policyWithoutSettings === 'refused')
    throw new HnsError('HCN_E_INVALID_POLICY');
  const settings = readSettings(type.settings, given['Settings'] ?? {}, release);
  checkPolicy(name, settings, release);
  if (given['Settings'] == null) return { Type: name };
  return { Type: name, Settings: withoutDefaults(type.settings, settings) };
}

/** Finds a type by name in any case, or by ordinal. Types newer than the service are unknown. */
function findType(types: ReadonlyMap<string, PolicyType>, given: Json | undefined, release: Release) {
  return (
    [...types].find(([name, type], ordinal) => {
      const same = typeof given === 'string' ? name.toLowerCase() === given.toLowerCase() : ordinal === given;
      return same && (type.since === undefined || isAtLeast(release.version, ...type.since));
    }) ?? []
  );
}

function readSettings(schema: Schema & { kind: 'object' }, given: Json, release: Release): JsonObject {
  try {
    return validateObject(schema, given, release, 'Settings');
  } catch (error) {
    if (error instanceof HnsError && error.hresult === hresultOf('HCN_E_INVALID_JSON'))
      throw new HnsError('HCN_E_INVALID_POLICY', error.detail);
    throw error;
  }
}

/** Removes optional members with default values: answers omit them. */
function withoutDefaults(schema: Schema & { kind: 'object' }, settings: JsonObject): JsonObject {
  const kept = Object.entries(settings).filter(([name, value]) => {
    const member = schema.members.get(name);
    return member?.required || !(member && isDefault(member.schema, value));
  });
  return Object.fromEntries(kept);
}

function isDefault(schema: Schema, value: Json): boolean {
  if (schema.kind === 'enumeration' && typeof value === 'string') return schema.names.get(value) === 0;
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || value === 0 || value === false || value === zeroGuid;
}

function isSamePolicy(one: Policy, other: Policy): boolean {
  return (
    one.Type === other.Type && JSON.stringify(one.Settings ?? {}) === JSON.stringify(other.Settings ?? {})
  );
}

/** Remove deletes policies that are equal in every setting. A missing policy is 0x803B0008 [I]. */
function removePolicies(from: readonly Policy[], removed: readonly Policy[]): Policy[] {
  for (const policy of removed) {
    if (!from.some((existing) => isSamePolicy(existing, policy)))
      throw new HnsError('HCN_E_POLICY_NOT_FOUND');
  }
  return from.filter((existing) => !removed.some((policy) => isSamePolicy(existing, policy)));
}

/** NatFlags. */
const ipv6 = 2;

export function readEndpointPolicies(given: Json | undefined, release: Release): Policy[] {
  const policies = readPolicies('endpoint', given, release);
  const isForIPv6 = ({ Type, Settings = {} }: Policy) =>
    Type === 'PortMapping' && (Number(Settings['Flags'] ?? 0) & ipv6) !== 0;
  if (!isAtLeast(release.version, 12, 0) && policies.some(isForIPv6))
    throw new HnsError('HCN_E_INVALID_POLICY');
  return policies;
}

/** Throws if HostRoute is refused at creation: flannel and hns.v2.psm1 add it to an existing network. */
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

/** Update replaces all policies of an endpoint; win-hcn does not send it for a network. */
export function changedPolicies(
  existing: readonly Policy[],
  requestType: string,
  given: readonly Policy[],
): readonly Policy[] {
  switch (requestType) {
    case 'Add':
      return [...existing, ...given];
    case 'Remove':
      return removePolicies(existing, given);
    case 'Update':
      return given;
    default:
      throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  }
}
