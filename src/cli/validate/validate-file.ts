import { pluginName } from '../../config/open-config.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { type Diagnostic, readConfigFile } from '../conflist/config-file.ts';
import { positionOf } from '../conflist/json-positions.ts';
import { type ListedPlugin, pluginsIn } from '../conflist/plugin-list.ts';
import { checkPlugin } from './check-plugin.ts';
import type { PathDiagnostic } from './checked-config.ts';
import { unknownFolders } from './plugin-folders.ts';

export interface ValidatedPlugin {
  readonly path: string;
  readonly type: string;
  /** Whether win-hcn runs it, as itself or as a drop-in replacement. */
  readonly ours: boolean;
  /** The name of the plugin whose dialect the configuration is in; absent for win-hcn's own. */
  readonly dialect?: string;
  readonly networkType?: string;
}

export interface Validation {
  readonly problems: readonly Diagnostic[];
  /** Valid, but may not work as intended. */
  readonly warnings: readonly Diagnostic[];
  /** Without effect. */
  readonly notes: readonly Diagnostic[];
  readonly plugins: readonly ValidatedPlugin[];
}

/** Validates a configuration file as a runtime and win-hcn read it. Diagnostics are in the order of the file. */
export function validateFile(
  bytes: Uint8Array,
  name: string,
  executable: string,
  folders = unknownFolders,
): Validation {
  const file = readConfigFile(bytes);
  if (file.value === undefined) return { problems: file.problems, warnings: [], notes: [], plugins: [] };
  const listed = isObject(file.value) ? pluginsIn(file.value, executable) : [];
  const checked = listed.map((plugin) => ({
    plugin,
    result: plugin.ours && !isTemplate(plugin) ? checkPlugin(plugin, executable, folders) : undefined,
  }));
  const locate = ({ path, text, isKey = false }: PathDiagnostic): Diagnostic => ({
    ...positionOf(file.positions, path, isKey),
    path,
    text,
  });
  const found = (kind: 'problems' | 'warnings' | 'notes') =>
    checked.flatMap(({ result }) => result?.[kind] ?? []);
  const located = (kind: 'warnings' | 'notes') => inFileOrder(found(kind).map(locate));
  const shape = [...shapeProblems(file.value, name), ...missingPlugin(listed)];
  return {
    problems: inFileOrder([...file.problems, ...firstPerPath([...shape, ...found('problems')]).map(locate)]),
    warnings: located('warnings'),
    notes: located('notes'),
    plugins: checked.map(({ plugin: { path, type }, result }) => ({
      path,
      type,
      ours: result !== undefined,
      ...(result?.dialect !== undefined && { dialect: result.dialect }),
      ...(result?.network !== undefined && { networkType: result.network.networkType }),
    })),
  };
}

function missingPlugin(listed: readonly ListedPlugin[]): readonly PathDiagnostic[] {
  if (listed.length === 0 || listed.some((plugin) => plugin.ours && !isTemplate(plugin))) return [];
  const template = listed.find(isTemplate);
  if (template !== undefined)
    return [
      {
        path: `${template.path}/delegate`,
        text: `${template.path}/delegate is not a configuration yet: flannel adds the node's subnet for each pod. Validate a file that flannel wrote, by default in C:\\var\\lib\\cni\\flannel`,
      },
    ];
  return [{ path: '/plugins', text: 'no plugin in the list is win-hcn or one that it replaces' }];
}

/** Whether it is for flannel's plugin, which completes `delegate` and runs another plugin, such as win-hcn, with it. */
function isTemplate({ type, config }: ListedPlugin): boolean {
  return pluginName(type) === 'flannel' && isObject(config['delegate']);
}

/** Keeps the first diagnostic of each path, because the file's shape and the plugin's reader can report the same problem. */
function firstPerPath(diagnostics: readonly PathDiagnostic[]): readonly PathDiagnostic[] {
  return diagnostics.filter(
    ({ path }, index) => diagnostics.findIndex((other) => other.path === path) === index,
  );
}

/** Sorts diagnostics by position. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);
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
  const nameless =
    typeof name === 'string' && name !== ''
      ? []
      : [{ path: '/name', text: '/name is missing, expected the name of the network' }];
  if (!Array.isArray(plugins) || plugins.length === 0)
    return [
      ...nameless,
      { path: '/plugins', text: '/plugins is empty or not a list, expected at least one plugin' },
    ];
  return [...nameless, ...plugins.flatMap((plugin, index) => typeProblems(plugin, `/plugins/${index}`))];
}

function typeProblems(plugin: unknown, path: string): readonly PathDiagnostic[] {
  if (!isObject(plugin)) return [{ path, text: `${path} is not an object` }];
  const { type } = plugin;
  if (typeof type === 'string' && type !== '') return [];
  return [
    { path: `${path}/type`, text: `${path}/type is missing, expected the name of the plugin's executable` },
  ];
}
