import { readLogFile } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, openConfig, pluginName } from '../../config/open-config.ts';
import { checkPlugin } from '../conflist/check-file.ts';
import { type ConfFile, programsOf, readConfFolder } from '../conflist/conf-file.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import type { CniFolders } from '../containerd/config.ts';
import { areFoldersCertain, type Containerd, readContainerd } from '../containerd/read-containerd.ts';
import { type FileAccess, fileAccess } from '../terminal/access.ts';
import { type Fact, factFrom, runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { ancestorFolders, fileName, isSamePath, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { type HostLocal, readHostLocal } from './host-local.ts';

/** What containerd, its configuration and its folders have. */
export interface RuntimeState {
  readonly containerd: Containerd;
  readonly configuration: Configuration;
  /** Files and folders whose access rights matter; only those that exist. */
  readonly files: Fact<readonly FileAccess[]>;
  /** The paths among them that are only parent folders of the others. */
  readonly parents: readonly string[];
  readonly log: Log;
  /** Undefined if no file is for win-hcn, or it has another IPAM plugin. */
  readonly hostLocal: HostLocal | undefined;
}

/** The configuration that containerd reads, or the given one. */
export interface Configuration extends UsedConf {
  /** The files in the runtime's folder, in the runtime's order, or the one given with --conf. */
  readonly files: Fact<readonly ConfFile[]>;
  readonly isGiven: boolean;
  /** The program of each plugin type in the files; undefined if it is in no folder. */
  readonly programs: Readonly<Record<string, string | undefined>>;
  /** The network of the file that checks use; undefined if there is none or it is invalid. */
  readonly network: NetworkConfig | undefined;
}

/** The file that checks use: the first one for win-hcn, even if another plugin's precedes it. */
interface UsedConf {
  /** Which plugin each file is for. */
  readonly owners: ReadonlyMap<ConfFile, PluginOwner>;
  /** Undefined if no file is for win-hcn. */
  readonly used: ConfFile | undefined;
  /** The first plugin in it that is, or may be, win-hcn. */
  readonly plugin: ListedPlugin | undefined;
}

/** The log of win-hcn. */
export interface Log {
  /** Empty if win-hcn writes no log. */
  readonly path: string;
  readonly content: Fact<string>;
  /** The log file and its folders. */
  readonly paths: readonly string[];
}

/** A PowerShell script must fit into a command line. */
const maxConfFiles = 20;

/** The runtime's configuration, and the addresses that host-local has reserved. */
interface RuntimeConfiguration extends Pick<RuntimeState, 'containerd'> {
  readonly files: Configuration['files'];
  readonly isGiven: boolean;
  /** The files whose plugins are looked at. */
  readonly checked: readonly ConfFile[];
  /** host-local's store for each plugin that uses it. */
  readonly stores: ReadonlyMap<ListedPlugin, HostLocal>;
}

/**
 * Reads the runtime's configuration, and host-local's stores: they must be read before HCN, because ADD creates an endpoint after it has
 * an address. `given` replaces the first file.
 */
export async function readConfiguration(
  session: Session,
  given: ConfFile | undefined,
): Promise<RuntimeConfiguration> {
  const containerd = await readContainerd(session.terminal);
  const files =
    given === undefined ? await readConfFolder(containerd.folders.confDir, session) : { value: [given] };
  const checked = 'value' in files ? files.value.slice(0, maxConfFiles) : [];
  const stores = checked
    .flatMap(({ plugins }) => plugins)
    .flatMap((plugin) => {
      const store = readHostLocal(plugin, session);
      return store === undefined ? [] : [[plugin, store] as const];
    });
  return { containerd, files, isGiven: given !== undefined, checked, stores: new Map(stores) };
}

/** Reads the plugins and the log that a configuration leads to, and their access rights. */
export async function readRuntime(
  session: Session,
  { containerd, files: confFiles, isGiven, checked, stores }: RuntimeConfiguration,
): Promise<RuntimeState> {
  const { system, terminal } = session;
  const { executable } = system;
  const { folders } = containerd;
  const programs = locatePrograms(checked, folders, system.isFile);
  const context = { executable, programs };
  // Before the access query, an active file's plugin may be unknown: then the next file's log counts as well.
  const { candidates } = identifyConfs(checked, { ...context, files: { error: 'not queried' } });
  const logs = (candidates.length === 0 ? [undefined] : candidates).map((one) => locateLog(one, system));
  // An exe in another folder is a copy that the runtime does not run.
  const isInBinDir = folders.binDirs.some((folder) => isSamePath(folder, parentFolder(executable)));
  const isInstalled = !areFoldersCertain(containerd) || isInBinDir;
  const programFolders =
    isInstalled && !isInBinDir ? [...folders.binDirs, parentFolder(executable)] : folders.binDirs;
  const own = [
    ...(isInstalled ? [executable] : []),
    ...programFolders.flatMap((folder) => [folder, ...addonsIn(folder, session)]),
    ...Object.values(programs).filter((path) => path !== undefined),
    folders.confDir,
    ...(!isGiven ? checked.map(({ path }) => path) : []),
    ...logs.flatMap(({ paths }) => paths),
  ];
  const parents = [...new Set(own.flatMap(ancestorFolders))].filter((path) => !own.includes(path));
  const files = await runQuery(terminal, fileAccess([...new Set(own), ...parents]));
  const { candidates: _, ...usedConf } = identifyConfs(checked, { ...context, files });
  const { plugin } = usedConf;
  const log = locateLog(plugin, system);
  const network = plugin && checkPlugin(plugin, executable).network;
  return {
    containerd,
    configuration: { files: confFiles, isGiven, programs, network, ...usedConf },
    files,
    parents,
    log: { ...log, content: await factFrom(readText(log.path, session)) },
    hostLocal: plugin && stores.get(plugin),
  };
}

/** Identifies the programs of plugin types. */
interface Programs extends Pick<RuntimeState, 'files'> {
  readonly executable: string;
  readonly programs: Configuration['programs'];
}

type PluginOwner = 'win-hcn' | 'another plugin' | 'unknown';

/** Finds the file that checks use, and the plugins in it and in further files for win-hcn. The first file counts if its owner is unknown. */
export function identifyConfs(
  files: readonly ConfFile[],
  context: Programs,
): UsedConf & { readonly candidates: readonly (ListedPlugin | undefined)[] } {
  const owners = new Map(files.map((file) => [file, ownerOfConf(file, context)]));
  const own = files.filter((file, index) => {
    const owner = owners.get(file);
    return owner === 'win-hcn' || (index === 0 && owner === 'unknown');
  });
  const candidates = own.map(({ plugins }) =>
    plugins.find(({ type }) => ownerOfType(type, context) !== 'another plugin'),
  );
  return { owners, used: own[0], plugin: candidates[0], candidates };
}

/** Whether a file configures win-hcn. An invalid file does if it mentions win-hcn. */
function ownerOfConf({ plugins, mentionsWinHcn }: ConfFile, context: Programs): PluginOwner {
  if (plugins.length === 0) return mentionsWinHcn ? 'win-hcn' : 'another plugin';
  const owners = plugins.map(({ type }) => ownerOfType(type, context));
  const best = ['win-hcn', 'unknown'] as const;
  return best.find((owner) => owners.includes(owner)) ?? 'another plugin';
}

/** A type is win-hcn by its own name, or by the name of a plugin it replaces if that program is a copy of win-hcn. */
function ownerOfType(type: string, { executable, programs, files }: Programs): PluginOwner {
  const name = pluginName(type);
  if (name === 'win-hcn' || name === pluginName(executable)) return 'win-hcn';
  if (findDialectName({ type }, '') === undefined) return 'another plugin';
  const program = programs[type];
  if (program === undefined) return type in programs ? 'another plugin' : 'unknown';
  const found = 'value' in files ? files.value.find(({ path }) => path === program) : undefined;
  if (found === undefined) return 'unknown';
  return found.product === 'win-hcn' ? 'win-hcn' : 'another plugin';
}

/** The log file of a plugin's configuration, with its folders: the default folder `win-hcn\logs` belongs to win-hcn with its parent. */
function locateLog(
  plugin: ListedPlugin | undefined,
  { executable, logFile }: Session['system'],
): Omit<Log, 'content'> {
  const json = plugin && openConfig(plugin.config, executable).json;
  const path = (json && readLogFile(json)) ?? logFile;
  if (path === '') return { path, paths: [] };
  const folder = parentFolder(path);
  const parent = parentFolder(folder);
  return { path, paths: [...(fileName(parent) === 'win-hcn' ? [parent] : []), folder, path] };
}

async function readText(path: string, { terminal }: Session): Promise<string> {
  return new TextDecoder().decode(terminal.readFile(path));
}

/** The addon that win-hcn unpacks beside its exe. */
function addonsIn(folder: string, { terminal }: Session): readonly string[] {
  try {
    const names = terminal.listFolder(folder).filter((name) => /^win-hcn-koffi-.*\.node$/.test(name));
    return names.map((name) => joinPath(folder, name));
  } catch {
    return [];
  }
}

/** Finds the programs of the files' plugins and IPAM plugins: `<type>.exe` or `<type>`, as libcni does. */
function locatePrograms(
  files: readonly ConfFile[],
  { binDirs }: CniFolders,
  isFile: (path: string) => boolean,
): Configuration['programs'] {
  const candidates = (type: string) =>
    binDirs.flatMap((folder) => [`${type}.exe`, type].map((name) => joinPath(folder, name)));
  const named = [...new Set(files.flatMap(programsOf))];
  return Object.fromEntries(named.map((type) => [type, candidates(type).find(isFile)]));
}
