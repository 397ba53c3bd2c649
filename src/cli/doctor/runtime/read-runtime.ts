import { readIpamType, readLogFile } from '../../../config/essential-keys.ts';
import { findDialectName, openConfig, pluginName } from '../../../config/open-config.ts';
import type { ListedPlugin } from '../../plugin-list.ts';
import type { Session } from '../../session.ts';
import { checkPlugin } from '../../validate/check-plugin.ts';
import {
  areFoldersCertain,
  type Configuration,
  type Fact,
  factFrom,
  firstConf,
  type Log,
  type RuntimeFacts,
} from '../facts.ts';
import { runQuery } from '../powershell.ts';
import { ancestorFolders, fileName, isSamePath, joinPath, parentFolder } from '../windows-path.ts';
import { type ConfFile, readConfFolder } from './conf-files.ts';
import { type CniFolders, readContainerd } from './containerd.ts';
import { type FileAccess, fileAccess } from './file-access.ts';
import { readHostLocal } from './host-local.ts';

/** A PowerShell script must fit into a command line. */
const maxConfFiles = 20;

/** Reads the runtime's configuration, the plugins and the log it leads to, and their access rights. `given` replaces the first file. */
export async function readRuntime(session: Session, given: ConfFile | undefined): Promise<RuntimeFacts> {
  const { system, terminal } = session;
  const { executable } = system;
  const containerd = await readContainerd(terminal);
  const { folders } = containerd;
  const confFiles = given === undefined ? await readConfFolder(folders.confDir, session) : { value: [given] };
  const first = firstConf({ files: confFiles });
  const programs = locatePrograms(first, folders, system.isFile);
  // The log's path is one of the paths whose access is queried below.
  const log = locateLog(
    findOwnPlugin(first, { executable, programs, files: { error: 'not queried' } }),
    system,
  );
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
    ...('value' in confFiles && given === undefined
      ? confFiles.value.slice(0, maxConfFiles).map(({ path }) => path)
      : []),
    ...log.paths,
  ];
  const parents = [...new Set(own.flatMap(ancestorFolders))].filter((path) => !own.includes(path));
  const files = await runQuery(terminal, fileAccess([...new Set(own), ...parents]));
  const plugin = findOwnPlugin(first, { executable, programs, files });
  const network = plugin && checkPlugin(plugin, executable).network;
  return {
    containerd,
    configuration: { files: confFiles, isGiven: given !== undefined, programs, network },
    files,
    parents,
    log: { ...log, content: await factFrom(readText(log.path, session)) },
    hostLocal: plugin && readHostLocal(plugin, session),
  };
}

/** The log file of a plugin's configuration, with its folders: the default folder `win-hcn\logs` belongs to win-hcn with its parent. */
function locateLog(
  plugin: ListedPlugin | undefined,
  { executable, logFile }: Session['system'],
): Omit<Log, 'content'> {
  const json = plugin && openConfig(plugin.config, executable, '').json;
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

/** Finds the programs of a file's plugins and IPAM plugins: `<type>.exe` or `<type>`, as libcni does. */
function locatePrograms(
  file: ConfFile | undefined,
  { binDirs }: CniFolders,
  isFile: (path: string) => boolean,
): Configuration['programs'] {
  const types = (file?.plugins ?? []).flatMap(({ type, config }) => [type, readIpamType(config) ?? '']);
  const candidates = (type: string) =>
    binDirs.flatMap((folder) => [`${type}.exe`, type].map((name) => joinPath(folder, name)));
  const named = [...new Set(types.filter((type) => type !== ''))];
  return Object.fromEntries(named.map((type) => [type, candidates(type).find(isFile)]));
}

/** Identifies the programs of plugin types. */
interface Programs {
  readonly executable: string;
  readonly programs: Configuration['programs'];
  readonly files: Fact<readonly FileAccess[]>;
}

type PluginOwner = 'win-hcn' | 'another plugin' | 'unknown';

/** Whether a file configures win-hcn. Programs are located for the first file only: for others the owner may be unknown. */
export function ownerOfConf({ plugins }: ConfFile, context: Programs): PluginOwner {
  const owners = plugins.map(({ type }) => ownerOfType(type, context));
  const best = ['win-hcn', 'unknown'] as const;
  return best.find((owner) => owners.includes(owner)) ?? 'another plugin';
}

/** The first plugin that is, or may be, win-hcn. */
function findOwnPlugin(file: ConfFile | undefined, context: Programs): ListedPlugin | undefined {
  return file?.plugins.find(({ type }) => ownerOfType(type, context) !== 'another plugin');
}

/** A type is win-hcn by its own name, or by the name of a plugin it replaces if that program is a copy of win-hcn. */
function ownerOfType(type: string, context: Programs): PluginOwner {
  const name = pluginName(type);
  if (name === 'win-hcn' || name === pluginName(context.executable)) return 'win-hcn';
  if (findDialectName({ type }, '') === undefined) return 'another plugin';
  const product = productOf(type, context);
  if (product === undefined) return 'unknown';
  return product === 'win-hcn' ? 'win-hcn' : 'another plugin';
}

/** The product name in the program's version resource; `none` without a program, undefined if not read. */
function productOf(type: string, { programs, files }: Programs): string | undefined {
  const program = programs[type];
  if (program === undefined) return type in programs ? 'none' : undefined;
  return 'value' in files ? files.value.find(({ path }) => path === program)?.product : undefined;
}
