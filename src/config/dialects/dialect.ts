import type { JsonObject } from '../../json/members.ts';
import type { Behavior } from '../behavior.ts';
import { knownKeys } from '../generated/plugin-config-keys.ts';
import { dropUnknownKeys, normalizeCase } from '../known-keys.ts';
import { escapeToken, type SourcePaths } from '../source-paths.ts';

/** A configuration of another plugin, translated into win-hcn's own keys. */
export interface Translation {
  readonly config: JsonObject;
  readonly behavior: Behavior;
  readonly sourcePaths: SourcePaths;
  /** JSON pointers of the given keys that have no effect. */
  readonly ignored: readonly string[];
}

/** Translates a configuration without validating it: the translated configuration is validated afterwards. */
export type Dialect = (given: JsonObject, cniArgs: string) => Translation;

/** CNI's own keys and ours for the process, the same in every dialect. */
const protocolKeys = [
  'cniVersion',
  'cniVersions',
  'name',
  'ipam',
  'capabilities',
  'runtimeConfig',
  'prevResult',
  'args',
  'disableCheck',
  'disableGC',
  'loadOnlyInlinedPlugins',
  'hcnTimeoutSeconds',
  'logFile',
];

/** Translates the keys that all dialects share. `members` is `given` with lower-case keys, `known` the dialect's other keys. */
export function translateSharedKeys(
  given: JsonObject,
  members: JsonObject,
  known: readonly string[],
): { readonly config: JsonObject; readonly ignored: readonly string[] } {
  const shared = protocolKeys.flatMap((key) => {
    const value = members[key.toLowerCase()];
    return value === undefined ? [] : [[key, value] as const];
  });
  const generated = Object.entries(given).filter(([key]) => /^cni\.dev\//.test(key));
  const used = new Set([...protocolKeys, ...known, 'dns', 'type'].map((key) => key.toLowerCase()));
  const unused = Object.keys(given).filter(
    (key) => !used.has(key.toLowerCase()) && !/^(cni\.dev\/|x-|\$schema$)/i.test(key),
  );
  const dnsKeys = knownKeys.keys?.['dns'] ?? {};
  const dns = dropUnknownKeys(normalizeCase(members['dns'], dnsKeys), dnsKeys, '/dns');
  return {
    config: {
      ...Object.fromEntries([...generated, ...shared]),
      type: 'win-hcn',
      ...(dns.value !== undefined && { dns: dns.value }),
    },
    ignored: [...unused.map((key) => `/${escapeToken(key)}`), ...dns.dropped],
  };
}
