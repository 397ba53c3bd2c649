import type { Behavior } from '../behavior.ts';
import { vocabulary } from '../generated/plugin-config-vocabulary.ts';
import { escaped, type Origins } from '../given-paths.ts';
import { understood } from './understood.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A configuration in another plugin's vocabulary, said in ours. */
export interface Translation {
  readonly config: Json;
  readonly behavior: Behavior;
  readonly origins: Origins;
  /** JSON pointers of what was given and means nothing to us. */
  readonly ignored: readonly string[];
}

/** Translates a configuration; what is wrong with it is found afterwards, in our vocabulary. */
export type Dialect = (given: Json, cniArgs: string) => Translation;

/** The keys of CNI itself, which every vocabulary shares; they are handed on as they are. */
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

/** Of a configuration with lower-case keys, what every dialect has in common, and which of its other keys are not `known`. */
export function sharedPart(
  given: Json,
  members: Json,
  known: readonly string[],
): { readonly config: Json; readonly ignored: readonly string[] } {
  const shared = protocolKeys.flatMap((key) => {
    const value = members[key.toLowerCase()];
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  const generated = Object.entries(given).filter(([key]) => /^cni\.dev\//.test(key));
  const meaningful = new Set([...protocolKeys, ...known, 'dns', 'type'].map((key) => key.toLowerCase()));
  const others = Object.keys(given).filter(
    (key) => !meaningful.has(key.toLowerCase()) && !/^(cni\.dev\/|x-|\$schema$)/i.test(key),
  );
  const dns = understood(members['dns'], vocabulary.keys?.['dns'] ?? {}, '/dns');
  return {
    config: {
      ...Object.fromEntries([...generated, ...shared]),
      type: 'win-hcn',
      ...(dns.value !== undefined && { dns: dns.value }),
    },
    ignored: [...others.map((key) => `/${escaped(key)}`), ...dns.dropped],
  };
}
