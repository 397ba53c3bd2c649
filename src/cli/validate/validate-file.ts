import { isObject, type JsonObject } from '../../json/members.ts';
import { type Diagnostic, readConfigFile } from '../config-file.ts';
import { type Position, positionOf } from '../json-positions.ts';
import { type ListedPlugin, pluginsIn } from '../plugin-list.ts';
import { checkPlugin } from './check-plugin.ts';

/** A plugin of the file, and what it is to win-hcn. */
export interface ValidatedPlugin {
  readonly path: string;
  readonly type: string;
  readonly ours: boolean;
  /** The plugin whose vocabulary it is in, where that is another one. */
  readonly dialect?: string;
  readonly networkType?: string;
}

export interface Validation {
  readonly problems: readonly Diagnostic[];
  /** What a runtime and win-hcn accept, but may not work as intended. */
  readonly warnings: readonly Diagnostic[];
  /** What has no effect, but keeps nobody from using the file. */
  readonly notes: readonly Diagnostic[];
  readonly plugins: readonly ValidatedPlugin[];
}

/** Everything that is wrong with a configuration file, in the order of the file. */
export function validateFile(bytes: Uint8Array, name: string, executable: string): Validation {
  const file = readConfigFile(bytes);
  if (file.value === undefined) return { problems: file.problems, warnings: [], notes: [], plugins: [] };
  const listed = isObject(file.value) ? pluginsIn(file.value, executable) : [];
  const checked = listed.map((plugin) => ({
    plugin,
    found: plugin.ours ? checkPlugin(plugin, executable) : undefined,
  }));
  const place = (remark: Omit<Diagnostic, keyof Position> & { readonly key?: boolean }): Diagnostic => ({
    ...positionOf(file.positions, remark.path, remark.key ?? false),
    path: remark.path,
    text: remark.text,
  });
  const shape = [...listProblems(file.value, name), ...nobody(listed)];
  const found = checked.flatMap(({ found }) => found?.problems ?? []);
  return {
    problems: inOrder([...file.problems, ...once([...shape, ...found]).map(place)]),
    warnings: inOrder(checked.flatMap(({ found }) => found?.warnings ?? []).map(place)),
    notes: inOrder(checked.flatMap(({ found }) => found?.notes ?? []).map(place)),
    plugins: checked.map(({ plugin: { path, type, ours }, found }) => ({
      path,
      type,
      ours,
      ...(found?.dialect !== undefined && { dialect: found.dialect }),
      ...(found?.network !== undefined && { networkType: found.network.networkType }),
    })),
  };
}

function nobody(listed: readonly ListedPlugin[]): readonly { path: string; text: string }[] {
  if (listed.length === 0 || listed.some(({ ours }) => ours)) return [];
  return [{ path: '/plugins', text: 'no plugin of the list is win-hcn, or one that it stands in for' }];
}

/** What the list's shape and the plugin's reader both complain of is said once. */
function once<T extends { readonly path: string }>(remarks: readonly T[]): readonly T[] {
  return remarks.filter(({ path }, index) => remarks.findIndex((other) => other.path === path) === index);
}

/** In the order of the file. */
export function inOrder(remarks: readonly Diagnostic[]): readonly Diagnostic[] {
  return remarks.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** What libcni wants of a file and win-hcn does not see: its shape, and the name that goes with it. */
function listProblems(file: unknown, name: string): readonly { path: string; text: string }[] {
  if (!isObject(file)) return [{ path: '', text: 'the file holds no JSON object' }];
  const isList = file['plugins'] !== undefined;
  const problems = isList ? ofList(file) : ofType(file, '');
  if (isList === /\.conflist$/i.test(name) || name === '-') return problems;
  const text = isList
    ? 'a list of plugins is read from a file called *.conflist only: rename the file'
    : 'a .conflist is a list: put this object into "plugins": [...] beside "cniVersion" and "name", or call the file *.conf';
  return [...problems, { path: '', text }];
}

function ofList({ name, plugins }: JsonObject): readonly { path: string; text: string }[] {
  const nameless =
    typeof name === 'string' && name !== ''
      ? []
      : [{ path: '/name', text: '/name is missing, expected the name of the network' }];
  if (!Array.isArray(plugins) || plugins.length === 0)
    return [
      ...nameless,
      { path: '/plugins', text: '/plugins has no plugin, expected a list of at least one' },
    ];
  return [...nameless, ...plugins.flatMap((plugin, index) => ofType(plugin, `/plugins/${index}`))];
}

function ofType(plugin: unknown, path: string): readonly { path: string; text: string }[] {
  if (!isObject(plugin)) return [{ path, text: `${path} is no object` }];
  const { type } = plugin;
  if (typeof type === 'string' && type !== '') return [];
  return [
    { path: `${path}/type`, text: `${path}/type is missing, expected the name of the plugin's program` },
  ];
}
