import { isObject, type JsonObject } from '../../json/members.ts';
import { type CheckedPlugin, checkPlugin } from './check-plugin.ts';
import type { PathDiagnostic } from './checks/check.ts';
import { unknownFolders } from './checks/runtime.ts';
import { type Diagnostic, inFileOrder, readConfigFile } from './config-file.ts';
import { type ListedPlugin, pluginsIn } from './plugin-list.ts';

/** A plugin of a checked file. */
export interface FilePlugin {
  readonly path: string;
  readonly type: string;
  /** Whether win-hcn runs it, as itself or as a drop-in replacement. */
  readonly ours: boolean;
  /** The name of the plugin whose dialect the configuration is in; absent for win-hcn's own. */
  readonly dialect?: string;
  readonly networkType?: string;
}

/** What the checks of a file found. */
export interface FileReport {
  readonly problems: readonly Diagnostic[];
  /** Valid, but may not work as intended. */
  readonly warnings: readonly Diagnostic[];
  /** Without effect. */
  readonly notes: readonly Diagnostic[];
  readonly plugins: readonly FilePlugin[];
}

/** Checks a configuration file as a runtime and win-hcn read it. Diagnostics are in the order of the file. */
export function checkFile(
  bytes: Uint8Array,
  name: string,
  executable: string,
  folders = unknownFolders,
): FileReport {
  const { value, problems: unreadable, positionOf } = readConfigFile(bytes);
  if (value === undefined) return { problems: unreadable, warnings: [], notes: [], plugins: [] };
  const listed = isObject(value) ? pluginsIn(value, executable) : [];
  const checked = listed.map((plugin) => ({
    plugin,
    result: plugin.ours ? checkPlugin(plugin, executable, folders) : undefined,
  }));
  const locate = ({ path, text, isKey }: PathDiagnostic): Diagnostic => ({
    ...positionOf(path, isKey),
    path,
    text,
  });
  const found = (kind: 'problems' | 'warnings' | 'notes') =>
    checked.flatMap(({ result }) => result?.[kind] ?? []);
  const problems = [...shapeProblems(value, name), ...missingPlugin(listed), ...found('problems')];
  return {
    problems: inFileOrder([...unreadable, ...firstPerPath(problems).map(locate)]),
    warnings: inFileOrder(found('warnings').map(locate)),
    notes: inFileOrder(found('notes').map(locate)),
    plugins: checked.map(describePlugin),
  };
}

function describePlugin({
  plugin: { path, type },
  result,
}: {
  readonly plugin: ListedPlugin;
  readonly result: CheckedPlugin | undefined;
}): FilePlugin {
  return {
    path,
    type,
    ours: result !== undefined,
    ...(result?.dialect !== undefined && { dialect: result.dialect }),
    ...(result?.network !== undefined && { networkType: result.network.networkType }),
  };
}

function missingPlugin(listed: readonly ListedPlugin[]): readonly PathDiagnostic[] {
  if (listed.length === 0 || listed.some(({ ours }) => ours)) return [];
  return [{ path: '/plugins', text: 'no plugin in the list is win-hcn or one that it replaces' }];
}

/** Keeps the first diagnostic of each path, because the file's shape and the plugin's reader can report the same problem. */
function firstPerPath(diagnostics: readonly PathDiagnostic[]): readonly PathDiagnostic[] {
  return [...Map.groupBy(diagnostics, ({ path }) => path).values()].flatMap((same) => same.slice(0, 1));
}

/** What libcni requires of a file: its shape, and a name that matches the shape. */
function shapeProblems(file: unknown, name: string): readonly PathDiagnostic[] {
  if (!isObject(file)) return [{ path: '', text: 'the file is not a JSON object' }];
  const isList = file['plugins'] !== undefined;
  const problems = isList ? listProblems(file) : typeProblems(file, '');
  if (isList === /\.conflist$/i.test(name) || name === '-') return problems;
  const text = isList
    ? 'runtimes read a plugin list only from *.conflist: rename the file'
    : 'a .conflist must be a plugin list: move this object into "plugins": [...] next to "cniVersion" and "name", or rename the file to *.conf';
  return [...problems, { path: '', text }];
}

function listProblems({ name, plugins }: JsonObject): readonly PathDiagnostic[] {
  const nameless = { path: '/name', text: '/name is missing, expected the name of the network' };
  const empty = { path: '/plugins', text: '/plugins is empty or not a list, expected at least one plugin' };
  return [
    ...(typeof name === 'string' && name !== '' ? [] : [nameless]),
    ...(Array.isArray(plugins) && plugins.length > 0
      ? plugins.flatMap((plugin, index) => typeProblems(plugin, `/plugins/${index}`))
      : [empty]),
  ];
}

function typeProblems(plugin: unknown, path: string): readonly PathDiagnostic[] {
  if (!isObject(plugin)) return [{ path, text: `${path} is not an object` }];
  const { type } = plugin;
  if (typeof type === 'string' && type !== '') return [];
  return [
    { path: `${path}/type`, text: `${path}/type is missing, expected the name of the plugin's executable` },
  ];
}
