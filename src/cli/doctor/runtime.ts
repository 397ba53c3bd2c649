import { readIpamType, readLogFile } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, openConfig, pluginName } from '../../config/open-config.ts';
import { parseObject } from '../../json/members.ts';
import type { System } from '../../system.ts';
import { checkPlugin } from '../conflist/check-file.ts';
import { type ConfFile, programsOf, readConfFolder } from '../conflist/conf-file.ts';
import { confsInForce } from '../conflist/files.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import type { CniFolders } from '../containerd/config.ts';
import { type Containerd, readContainerd } from '../containerd/read-containerd.ts';
import { type FileAccess, fileAccess, writersOf } from '../terminal/access.ts';
import { type Fact, factFrom, runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { ancestorFolders, fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';

/** What containerd, its configuration and its folders have. */
export interface RuntimeState {
  readonly containerd: Containerd;
  readonly configuration: Configuration;
  /** Files and folders whose access rights matter; only those that exist. */
  readonly files: Fact<readonly FileAccess[]>;
  /** The paths among them that are only parent folders of the others. */
  readonly parents: readonly string[];
  readonly log: ReturnType<typeof locateLog> & { readonly content: Fact<string> };
}

/** The configuration that containerd reads. Checks use the first file for win-hcn, even if another plugin's precedes it. */
export interface Configuration extends ReturnType<typeof identifyConfs> {
  /** The files in the runtime's folder, in the runtime's order. */
  readonly files: Fact<readonly ConfFile[]>;
  /** The program of each plugin type in the files; undefined if it is in no folder. */
  readonly programs: Readonly<Record<string, string | undefined>>;
  /** The network of the file that checks use; undefined if there is none or it is invalid. */
  readonly network: NetworkConfig | undefined;
  /** The CNI versions of the IPAM plugin that checks use; undefined if it does not report them or is not run. */
  readonly ipamVersions: readonly unknown[] | undefined;
}

/** Whether containerd uses the file that checks compare with. */
export function isInForce({ configuration: { files, used }, containerd }: RuntimeState): boolean {
  const listed = 'value' in files ? files.value : [];
  return confsInForce(listed, containerd.folders.maxConfNum).some((file) => file === used);
}

/** A PowerShell script must fit into a command line. */
const maxConfFiles = 20;

/** Reads the runtime's configuration, the plugins and the log that it leads to, and their access rights. */
export async function readRuntime(session: Session): Promise<RuntimeState> {
  const { system, terminal } = session;
  const { executable } = system;
  const containerd = await readContainerd(terminal);
  const { folders } = containerd;
  const confFiles = await readConfFolder(folders.confDir, session);
  const checked = 'value' in confFiles ? confFiles.value.slice(0, maxConfFiles) : [];
  const programs = locatePrograms(checked, folders, system.isFile);
  const context = { executable, programs };
  const likely = identifyConfs(checked, { ...context, files: { error: 'not queried' } });
  const own = [
    ...folders.binDirs.flatMap((folder) => [folder, ...addonsIn(folder, session)]),
    ...Object.values(programs).filter((path) => path !== undefined),
    folders.confDir,
    ...checked.map(({ path }) => path),
    ...locateLog(likely.plugin, system).paths,
  ];
  const parents = [...new Set(own.flatMap(ancestorFolders))].filter((path) => !own.includes(path));
  const files = await runQuery(terminal, fileAccess([...new Set(own), ...parents]));
  const usedConf = identifyConfs(checked, { ...context, files });
  const { plugin } = usedConf;
  const log = locateLog(plugin, system);
  const network = plugin && checkPlugin(plugin, executable).network;
  const ipam = programs[(plugin && readIpamType(plugin.config)) ?? ''] ?? '';
  const checkedFiles = 'value' in files ? files.value : [];
  const isOpen = checkedFiles.some((file) => writersOf(file, parents.includes(file.path)).length > 0);
  const isRestricted = !isOpen && checkedFiles.some(({ path }) => path === ipam);
  const ipamVersions = isRestricted ? await readVersions(ipam, system) : undefined;
  return {
    containerd,
    configuration: { files: confFiles, programs, network, ipamVersions, ...usedConf },
    files,
    parents,
    log: { ...log, content: await factFrom(readText(log.path, session)) },
  };
}

/** Runs VERSION of an IPAM plugin that only administrators can modify. */
async function readVersions(
  program: string,
  { spawn, environment }: System,
): Promise<Configuration['ipamVersions']> {
  const ran = await factFrom(
    spawn(program, { ...environment, CNI_COMMAND: 'VERSION' }, '{"cniVersion":"1.0.0"}', 5),
  );
  const { supportedVersions } = parseObject(('value' in ran && ran.value.stdout) || '');
  return Array.isArray(supportedVersions) ? supportedVersions : undefined;
}

/** Identifies the programs of plugin types. */
interface Programs extends Pick<RuntimeState, 'files'> {
  readonly executable: string;
  readonly programs: Configuration['programs'];
}

type PluginOwner = 'win-hcn' | 'another plugin' | 'unknown';

/** Finds the file that checks use, and its plugin for win-hcn. The first file counts if its owner is unknown. */
export function identifyConfs(files: readonly ConfFile[], context: Programs) {
  const owners: ReadonlyMap<ConfFile, PluginOwner> = new Map(
    files.map((file) => [file, ownerOfConf(file, context)]),
  );
  const used = files.find((file, index) => {
    const owner = owners.get(file);
    return owner === 'win-hcn' || (index === 0 && owner === 'unknown');
  });
  const plugin = used?.plugins.find(({ type }) => ownerOfType(type, context) !== 'another plugin');
  return { owners, used, plugin };
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

/**
 * The log file of a plugin's configuration, empty if it writes none, with its folders: the default folder `win-hcn\\logs` belongs to win-hcn
 * with its parent.
 */
function locateLog(plugin: ListedPlugin | undefined, { executable, logFile }: Session['system']) {
  const json = plugin && openConfig(plugin.config, executable).json;
  const path = (json && readLogFile(json)) ?? logFile;
  const folder = parentFolder(path);
  const parent = parentFolder(folder);
  const parents = fileName(parent) === 'win-hcn' ? [parent, folder] : [folder];
  const paths: readonly string[] = path === '' ? [] : [...parents, path];
  return { path, paths };
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
