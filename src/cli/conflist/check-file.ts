import { CniError } from '../../cni/error.ts';
import { readVersion } from '../../cni/version.ts';
import { readName } from '../../config/essential-keys.ts';
import { findDialectName, openConfig } from '../../config/open-config.ts';
import { describeProblem, InvalidConfig } from '../../config/problems.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { type Check, type PathDiagnostic, refuseRanges, warningChecks } from './checks.ts';
import { type Diagnostic, inFileOrder, readConfigFile } from './config-file.ts';
import { type ListedPlugin, pluginsIn } from './plugin-list.ts';

/** A plugin of a checked file. */
export interface FilePlugin extends Pick<ListedPlugin, 'path' | 'type' | 'ours'> {
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
export function checkFile(bytes: Uint8Array, name: string, executable: string): FileReport {
  const { value, problems: unreadable, positionOf } = readConfigFile(bytes);
  if (value === undefined) return { problems: unreadable, warnings: [], notes: [], plugins: [] };
  const listed = pluginsIn(value, executable);
  const checked = listed.map((plugin) => ({
    plugin,
    result: plugin.ours ? checkPlugin(plugin, executable) : undefined,
  }));
  const locate = ({ path, text, isKey }: PathDiagnostic): Diagnostic => ({
    ...positionOf(path, isKey),
    path,
    text,
  });
  const found = (kind: 'problems' | 'warnings' | 'notes') =>
    checked.flatMap(({ result }) => result?.[kind] ?? []);
  const problems = [...shapeProblems(value, name), ...pluginProblems(listed), ...found('problems')];
  // The file's shape and the plugin's reader can report the same problem.
  const ofPaths = [...Map.groupBy(problems, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  return {
    problems: inFileOrder([...unreadable, ...ofPaths.map(locate)]),
    warnings: inFileOrder(found('warnings').map(locate)),
    notes: inFileOrder(found('notes').map(locate)),
    plugins: checked.map(({ plugin: { path, type, ours }, result }) => ({
      path,
      type,
      ours,
      ...(result?.dialect !== undefined && { dialect: result.dialect }),
      ...(result?.network !== undefined && { networkType: result.network.networkType }),
    })),
  };
}

/** What stops every runtime, whatever the plugin: the encoding of a file, its JSON or its shape. */
export function runtimeProblems(bytes: Uint8Array, name: string): readonly Diagnostic[] {
  const { value, problems, positionOf } = readConfigFile(bytes);
  const shape = value === undefined ? [] : shapeProblems(value, name);
  return [
    ...problems.filter(({ path }) => path === ''),
    ...shape.map(({ path, text }) => ({ ...positionOf(path), path, text })),
  ];
}

/** A file needs one plugin for win-hcn: a second one refuses to create the interface again. */
function pluginProblems(listed: readonly ListedPlugin[]): readonly PathDiagnostic[] {
  const [first, ...others] = listed.filter(({ ours }) => ours).map((plugin) => `${plugin.path}/type`);
  if (listed.length === 0 || first !== undefined) return others.map(secondPlugin);
  const [{ path, type } = { path: '', type: '' }] = listed;
  if (path === '')
    return [{ path: '/type', text: `/type is "${type}", not win-hcn or a plugin that it replaces` }];
  return [{ path: '/plugins', text: 'no plugin in the list is win-hcn or one that it replaces' }];
}

const secondPlugin = (path: string) => ({
  path,
  text: `${path} is a second plugin for win-hcn: every ADD fails with code 101`,
});

/** What libcni requires of a file: its shape, and a name that matches the shape. */
function shapeProblems(file: unknown, name: string): readonly PathDiagnostic[] {
  if (!isObject(file)) return [{ path: '', text: 'the file is not a JSON object' }];
  const isList = file['plugins'] !== undefined;
  const problems = [...nameProblems(file), ...(isList ? listProblems(file) : typeProblems(file, ''))];
  if (isList === /\.conflist$/i.test(name) || name === '-') return problems;
  const text = isList
    ? 'runtimes read a plugin list only from *.conflist: rename the file'
    : 'a .conflist must be a plugin list: move this object into "plugins": [...] next to "cniVersion" and "name", or rename the file to *.conf';
  return [...problems, { path: '', text }];
}

function nameProblems({ name }: JsonObject): readonly PathDiagnostic[] {
  if (typeof name === 'string' && name !== '') return [];
  return [{ path: '/name', text: '/name is missing, expected the name of the network' }];
}

function listProblems({ plugins }: JsonObject): readonly PathDiagnostic[] {
  if (Array.isArray(plugins) && plugins.length > 0)
    return plugins.flatMap((plugin, index) => typeProblems(plugin, `/plugins/${index}`));
  return [{ path: '/plugins', text: '/plugins is empty or not a list, expected at least one plugin' }];
}

function typeProblems(plugin: unknown, path: string): readonly PathDiagnostic[] {
  if (!isObject(plugin)) return [{ path, text: `${path} is not an object` }];
  const { type } = plugin;
  if (typeof type === 'string' && type !== '') return [];
  return [
    { path: `${path}/type`, text: `${path}/type is missing, expected the name of the plugin's executable` },
  ];
}

/**
 * Reads a plugin's configuration as ADD does, and checks a valid one further. `dialect` is undefined for win-hcn's own, `network` for an
 * invalid one; `warnings` are about what may not work as intended, `notes` about keys without effect.
 */
export function checkPlugin({ config, path, type }: ListedPlugin, executable: string) {
  const opened = openConfig(config, executable);
  const problems: PathDiagnostic[] = [];
  const attempt = <T>(at: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      problems.push(...describeError(error, path, at));
      return undefined;
    }
  };
  const name = attempt('/name', () => readName(opened.json));
  attempt('/cniVersion', () => readVersion(opened.json['cniVersion']));
  // With a valid name, because a problem of the name is reported separately.
  const json = { ...opened.json, name: name ?? 'unnamed' };
  const network = attempt(`${path}/prevResult`, () => readNetworkConfig(json, {}, opened));
  const place = (inKeys: string) => `${path}${opened.pathOf(inKeys)}`;
  const run = (checks: readonly Check[]) =>
    network === undefined
      ? []
      : checks.flatMap((check) => check({ keys: network, json: opened.json, type, place }));
  return {
    dialect: findDialectName(config, executable),
    network,
    problems: [...problems, ...run([refuseRanges])],
    warnings: run(warningChecks),
    notes: opened.ignored.map((ignored) => ({
      path: `${path}${ignored}`,
      text: `${path}${ignored} is not supported and is ignored`,
      isKey: true,
    })),
  };
}

/** The problems of an invalid configuration at `path`; of another error, one at `other`. */
function describeError(error: CniError, path: string, other: string): readonly PathDiagnostic[] {
  if (!(error instanceof InvalidConfig))
    return [{ path: other, text: [error.message, error.details].filter(Boolean).join('; ') }];
  return error.problems.map((problem) => {
    const placed = { ...problem, path: `${path}${problem.path}` };
    return { path: placed.path, text: describeProblem(placed), isKey: problem.kind === 'unknown key' };
  });
}
