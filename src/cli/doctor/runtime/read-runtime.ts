import { readLogFile } from '../../../config/essential-keys.ts';
import { openConfig } from '../../../config/open-config.ts';
import { checkPlugin } from '../../conflist/check-file.ts';
import { type ConfFile, programsOf, readConfFolder } from '../../conflist/conf-file.ts';
import type { ListedPlugin } from '../../conflist/plugin-list.ts';
import type { CniFolders } from '../../containerd/config.ts';
import { areFoldersCertain, readContainerd } from '../../containerd/read-containerd.ts';
import { fileAccess } from '../../terminal/access.ts';
import { factFrom, runQuery } from '../../terminal/powershell.ts';
import type { Session } from '../../terminal/session.ts';
import {
  ancestorFolders,
  fileName,
  isSamePath,
  joinPath,
  parentFolder,
} from '../../terminal/windows-path.ts';
import type { Configuration, Log, RuntimeFacts } from '../facts.ts';
import { findOwnConfs, findOwnPlugin } from './conf-owner.ts';
import { type HostLocal, readHostLocal } from './host-local.ts';

/** A PowerShell script must fit into a command line. */
const maxConfFiles = 20;

/** The runtime's configuration, and the addresses that host-local has reserved. */
interface RuntimeConfiguration extends Pick<RuntimeFacts, 'containerd'> {
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
): Promise<RuntimeFacts> {
  const { system, terminal } = session;
  const { executable } = system;
  const { folders } = containerd;
  const programs = locatePrograms(checked, folders, system.isFile);
  const pluginsWith = (files: RuntimeFacts['files']) => {
    const context = { executable, programs, files };
    return findOwnConfs(checked, context).map((conf) => findOwnPlugin(conf, context));
  };
  // Before the access query, an active file's plugin may be unknown: then the next file's log counts as well.
  const logs = withDefault(pluginsWith({ error: 'not queried' })).map((plugin) => locateLog(plugin, system));
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
  const [plugin] = pluginsWith(files);
  const log = locateLog(plugin, system);
  const network = plugin && checkPlugin(plugin, executable).network;
  return {
    containerd,
    configuration: { files: confFiles, isGiven, programs, network },
    files,
    parents,
    log: { ...log, content: await factFrom(readText(log.path, session)) },
    hostLocal: plugin && stores.get(plugin),
  };
}

/** The plugins of the files for win-hcn; undefined, whose log is the default one, if there is none. */
function withDefault(plugins: readonly (ListedPlugin | undefined)[]): readonly (ListedPlugin | undefined)[] {
  return plugins.length === 0 ? [undefined] : plugins;
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
