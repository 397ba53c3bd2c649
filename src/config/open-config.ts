import { foldKeys, isObject, type JsonObject } from '../json/members.ts';
import { type Behavior, defaultBehavior } from './behavior.ts';
import type { Dialect } from './dialects/dialect.ts';
import { sdn } from './dialects/sdn.ts';
import { winBridge, winOverlay } from './dialects/win-bridge.ts';
import { knownKeys } from './generated/plugin-config-keys.ts';
import { normalizeCase } from './known-keys.ts';
import { networkTypes } from './network-config.ts';
import { sourcePathOf, spellerOf } from './source-paths.ts';

/** A configuration in win-hcn's own keys, translated from a dialect if necessary; not validated. */
export interface OpenedConfig {
  readonly json: JsonObject;
  readonly behavior: Behavior;
  /** Returns the JSON pointer in the given configuration, in its spelling, for a JSON pointer in `json`. */
  readonly pathOf: (path: string) => string;
  /** JSON pointers of the given keys that have no effect, sorted, each once. */
  readonly ignored: readonly string[];
}

/**
 * Translates a configuration if it is in a dialect. `executable` is the path of the running program, `cniArgs` is CNI_ARGS of a request.
 * Default: no CNI_ARGS.
 */
export function openConfig(given: JsonObject, executable: string, cniArgs = ''): OpenedConfig {
  const dialect = dialects.get(findDialectName(given, executable) ?? '');
  const spell = spellerOf(given);
  if (dialect === undefined)
    return { json: normalizeConfig(given), behavior: defaultBehavior, pathOf: spell, ignored: [] };
  const { config, behavior, sourcePaths, ignored } = dialect(given, cniArgs);
  return {
    json: normalizeConfig(config),
    behavior,
    pathOf: (path) => spell(sourcePathOf(sourcePaths, path)),
    ignored: [...new Set(ignored.map(spell))].sort(),
  };
}

/** A configuration with its keys and enum values in the schema's case; not validated. */
export function normalizeConfig(json: JsonObject): JsonObject {
  const normalized = normalizeCase(json, knownKeys);
  return isObject(normalized) ? normalized : json;
}

/**
 * The dialects by plugin name, in lower case. sdnbridge and its relatives are also installed under HCN's names of network types.
 * Their predecessor wincni took the network type from the network's name.
 */
export const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['win-bridge', winBridge],
  ['win-l2bridge', winBridge],
  ['win-overlay', winOverlay],
  ['sdnbridge', sdn(() => 'L2Bridge')],
  ['sdnoverlay', sdn(() => 'Overlay')],
  [
    'wincni',
    sdn((name) => (typeof name === 'string' ? (typesByName.get(name.toLowerCase()) ?? name) : name)),
  ],
  ...networkTypes.map((type) => [type.toLowerCase(), sdn(() => type)] as const),
]);

/**
 * The name of a configuration's dialect, by its `type` or else by the name of the executable: a runtime starts a drop-in
 * replacement under the name of the replaced plugin. Undefined for win-hcn's own configuration, which has `networkType`.
 */
export function findDialectName(given: JsonObject, executable: string): string | undefined {
  const { networktype: networkType, type } = foldKeys(given);
  if (networkType !== undefined && networkType !== null) return undefined;
  return [type, executable]
    .flatMap((name) => (typeof name === 'string' ? pluginName(name) : []))
    .find((name) => dialects.has(name));
}

/** A plugin's name in lower case, from its `type` or the path of its executable. */
export function pluginName(plugin: string): string {
  const name = plugin.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.exe$/, '');
}

const typesByName: ReadonlyMap<string, string> = new Map(
  networkTypes.map((type) => [type.toLowerCase(), type]),
);
