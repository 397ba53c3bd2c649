import { supportedVersions } from '../../cni/version.ts';
import { findDialectName, pluginName } from '../../config/open-config.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { wrongUsage } from '../terminal/session.ts';

/** A plugin of a configuration file. */
export interface ListedPlugin {
  /** Its JSON pointer; empty if the file is the configuration of one plugin. */
  readonly path: string;
  readonly type: string;
  /** Whether win-hcn runs it, as itself or as a drop-in replacement. */
  readonly ours: boolean;
  /** What libcni passes to the plugin on stdin, without what a runtime adds. */
  readonly config: JsonObject;
  /** The file's `cniVersion`, which libcni before 1.2 passes whatever `cniVersions` has. */
  readonly ownVersion: unknown;
}

/** The plugins of a conflist, or the one of a single plugin's configuration. Entries that are not objects are omitted. */
export function pluginsIn(file: unknown, executable: string): readonly ListedPlugin[] {
  if (!isObject(file)) return [];
  const { plugins, ...list } = file;
  if (!Array.isArray(plugins)) {
    const type = typeOf(file);
    const ours = type === '' || isOurs(type, executable) || foldKeys(file)['networktype'] !== undefined;
    return [{ path: '', type, ours, config: file, ownVersion: file['cniVersion'] }];
  }
  const { name, cniVersion: ownVersion } = list;
  const given = Object.entries({ name, cniVersion: versionOf(list) }).filter(
    ([, value]) => value !== undefined,
  );
  return plugins.flatMap((plugin, index) => {
    if (!isObject(plugin)) return [];
    const type = typeOf(plugin);
    const config = { ...plugin, ...Object.fromEntries(given) };
    return [{ path: `/plugins/${index}`, type, ours: isOurs(type, executable), config, ownVersion }];
  });
}

function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : '';
}

function isOurs(type: string, executable: string): boolean {
  const name = pluginName(type);
  return name === 'win-hcn' || name === pluginName(executable) || findDialectName({ type }, '') !== undefined;
}

/** libcni since 1.2 uses the latest version in `cniVersions` and `cniVersion` that it supports, older ones only `cniVersion` (libcni/conf.go). */
function versionOf({ cniVersion, cniVersions }: JsonObject): unknown {
  const offered: readonly unknown[] = Array.isArray(cniVersions) ? [...cniVersions, cniVersion] : [];
  return supportedVersions.findLast((version) => offered.includes(version)) ?? cniVersion;
}

/** Returns the plugin of a configuration file that win-hcn runs. Throws CniError unless there is exactly one. */
export function selectPlugin(file: unknown, fileName: string, executable: string): ListedPlugin {
  const listed = pluginsIn(file, executable);
  const [plugin, ...others] = listed.filter(({ ours }) => ours);
  if (plugin !== undefined && others.length === 0) return plugin;
  const found = plugin === undefined ? 'no plugin' : 'more than one plugin';
  const types = listed.map(({ type }) => type).join(', ') || 'none';
  throw wrongUsage(`${fileName} has ${found} for win-hcn (plugins: ${types})`);
}
