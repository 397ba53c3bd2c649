import { CniError, code } from '../cni/error.ts';
import type { Dns } from '../cni/result.ts';
import { isObject } from '../cni/text.ts';
import { refusal } from './problems.ts';

/** `runtimeConfig` by convention (CONVENTIONS.md), keys matched without case: containerd writes `Servers`, podman `servers`. */
function runtimeConfig(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(json['runtimeConfig']) ? fold(json['runtimeConfig']) : {};
}

/** The `dns` capability. Only lists that are there and not empty take the place of the configuration's. */
export function readRuntimeDns(json: Readonly<Record<string, unknown>>): Dns {
  const dns = runtimeConfig(json)['dns'] ?? {};
  if (!isObject(dns)) throw wrong('/runtimeConfig/dns', dns, 'an object');
  const members = fold(dns);
  const named = { nameservers: 'servers', search: 'searches', options: 'options' };
  const lists = Object.entries(named).map(([key, convention]) => {
    const value = members[convention] ?? [];
    if (!Array.isArray(value)) throw wrong(`/runtimeConfig/dns/${convention}`, value, 'a list');
    return [key, value] as const;
  });
  return Object.fromEntries(lists.filter(([, value]) => value.length > 0));
}

/**
 * A capability that was asked for and is not there yet is an error: the convention is to act on it or to say so.
 * Those that only inform, or are for the IPAM plugin, pass.
 */
export function refuseUnsupportedCapabilities(json: Readonly<Record<string, unknown>>): void {
  const asked = runtimeConfig(json);
  for (const [key, capability] of [
    ['portmappings', 'portMappings'],
    ['bandwidth', 'bandwidth'],
    ['mac', 'mac'],
  ] as const) {
    if (!isNothing(asked[key])) {
      throw new CniError(
        code.unsupportedField,
        `/runtimeConfig/${capability} is ${JSON.stringify(asked[key])}, which win-hcn cannot do yet`,
        { details: `take "${capability}" out of the configuration's capabilities` },
      );
    }
  }
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isNothing);
  return value === undefined || value === null || value === '' || value === 0;
}

function fold(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key.toLowerCase(), value]));
}

function wrong(path: string, found: unknown, expected: string): CniError {
  return refusal([{ kind: 'value', path, found, expected }]);
}
