// The variant of answers that merges an endpoint's policies.

import { isObject, type Json, type JsonObject } from './schema/validate.ts';

/** Merges all OutBoundNAT policies into one, with the settings of the first and the lists of all; omits EncapOverhead. */
export function withMergedPolicies({ Policies, ...endpoint }: JsonObject): JsonObject {
  const policies = list(Policies).filter((policy) => typeOf(policy) !== 'EncapOverhead');
  const [first, ...others] = policies.filter((policy) => typeOf(policy) === 'OutBoundNAT');
  const merged = policies
    .filter((policy) => !others.includes(policy))
    .map((policy) => (policy === first ? { ...policy, Settings: united([first, ...others]) } : policy));
  return { ...endpoint, ...(merged.length > 0 && { Policies: merged }) };
}

function united(policies: readonly JsonObject[]): JsonObject {
  const settings = policies.map(({ Settings }) => (isObject(Settings) ? Settings : {}));
  const lists = ['Exceptions', 'Destinations'].flatMap((name): [string, Json][] => {
    const items = [...new Set(settings.flatMap((one) => list(one[name])))];
    return items.length > 0 ? [[name, items]] : [];
  });
  return { ...settings[0], ...Object.fromEntries(lists) };
}

function typeOf(policy: JsonObject): Json | undefined {
  return policy['Type'];
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}
