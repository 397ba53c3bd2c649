import { CniError, code } from '../../cni/error.ts';
import { isMissingFile } from '../terminal/files.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isSamePath } from '../terminal/windows-path.ts';
import { findGivenConfigPath } from './commands.ts';
import type { ContainerdConfig } from './config.ts';
import { type Containerd, readContainerd } from './read-containerd.ts';

/** The folders that most installers of Kubernetes give to containerd. */
const commonFolders = { binDir: 'C:\\opt\\cni\\bin', confDir: 'C:\\etc\\cni\\net.d' } as const;

/** The options that name the folders. */
export interface FolderFlags {
  readonly binDir?: string;
  readonly confDir?: string;
}

/** Where the runtime of this node looks for plugins and configurations. */
export interface RuntimeFolders {
  readonly binDir: string;
  readonly confDir: string;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
  /** What may be wrong with them, in sentences. */
  readonly warnings: readonly string[];
}

type Flag = keyof FolderFlags;
const flagNames: Readonly<Record<Flag, string>> = { binDir: '--bin-dir', confDir: '--conf-dir' };

/**
 * The folders given by options, else those of containerd's configuration, else containerd's default folders if containerd is installed,
 * else those that most installers use. Throws CniError instead of guessing: if containerd cannot load its configuration, if it does
 * not run as a service, if the folders depend on its release, and outside Windows. `options`: those that the command has, for the error.
 */
export async function findRuntimeFolders(
  flags: FolderFlags,
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
  options: readonly Flag[] = ['binDir', 'confDir'],
): Promise<RuntimeFolders> {
  const missing = options.filter((flag) => flags[flag] === undefined);
  if (missing.length === 0)
    return {
      ...commonFolders,
      ...definedFlags(flags),
      maxConfNum: 1,
      warnings: [],
    };
  const remedy = `Specify ${missing.map((flag) => flagNames[flag]).join(' and ')}`;
  if (!system.windows)
    throw new CniError(
      code.invalidEnvironment,
      `this machine does not run Windows, so it has no default folders. ${remedy}`,
    );
  const found = await readContainerd(terminal, 'serviceCommandLines');
  const problem = findProblem(found) ?? findRelative(found, missing);
  if (problem !== undefined) throw new CniError(code.ioFailure, `${problem}. ${remedy}`);
  const { maxConfNum } = found.folders;
  return { ...foldersOf(found, terminal), ...definedFlags(flags), maxConfNum, warnings: warningsOf(found) };
}

function definedFlags({ binDir, confDir }: FolderFlags): FolderFlags {
  return { ...(binDir !== undefined && { binDir }), ...(confDir !== undefined && { confDir }) };
}

/**
 * Why the folders of a configuration cannot be used. Without `--config`, containerd may have no configuration. The configuration of a
 * process without a service is not used, because every user can start a process of that name.
 */
function findProblem({ path, commands, config, isConfigMissing }: Containerd): string | undefined {
  const found = 'value' in commands ? commands.value : undefined;
  const isNamed = findGivenConfigPath(found?.serviceCommandLines ?? []) !== undefined;
  if (found !== undefined && !found.isService && found.isRunning) {
    const given = findGivenConfigPath(found.commandLines);
    if (given === undefined ? isConfigMissing : !isSamePath(given, path))
      return `containerd.exe runs${given === undefined ? '' : ` with --config ${given}`}, but there is no service containerd: any user may have started it`;
  }
  const named = `containerd's configuration ${path}`;
  if ('error' in config)
    return isConfigMissing && !isNamed ? undefined : `cannot read ${named}: ${config.error}`;
  const doubt = describeDoubt(config.value);
  return doubt === undefined ? undefined : `${named} ${doubt}`;
}

/** Why containerd may use other folders than a configuration's, as the rest of a sentence about it. */
export function describeDoubt(config: ContainerdConfig): string | undefined {
  const { hasBoth, ignoredTable, table, version, dependsOnRelease } = config;
  if (hasBoth) return 'sets both bin_dir and bin_dirs, which containerd rejects';
  if (ignoredTable !== undefined)
    return `has version ${version} and ${ignoredTable}, but this version reads ${table}`;
  return dependsOnRelease
    ? 'gives containerd 1.x and 2.x different folders, because an import replaces the whole CRI table in 1.x'
    : undefined;
}

/** containerd resolves a relative folder against the one that it is started in, which is unknown. */
function findRelative({ path, config }: Containerd, needed: readonly Flag[]): string | undefined {
  if ('error' in config) return undefined;
  const { binDirs, confDir } = config.value.folders;
  const given: Readonly<Record<Flag, string | undefined>> = { binDir: binDirs[0], confDir };
  const relative = needed
    .map((flag) => given[flag] ?? '')
    .find((folder) => !/^([A-Za-z]:)?[\\/]|^$/.test(folder));
  return relative === undefined
    ? undefined
    : `containerd's configuration ${path} has the relative folder ${relative}, which depends on the folder that containerd starts in`;
}

/** The folder of containerd's default configuration. */
const installFolder = 'C:\\Program Files\\containerd';

function foldersOf(
  { commands, config, folders }: Containerd,
  { listFolder }: Pick<Terminal, 'listFolder'>,
): Pick<RuntimeFolders, 'binDir' | 'confDir'> {
  const { binDirs, confDir } = folders;
  const [binDir = commonFolders.binDir] = binDirs;
  if ('value' in config) return { binDir, confDir };
  const isInstalled = 'value' in commands && commands.value.isService;
  return isInstalled || isFolder(installFolder, listFolder) ? { binDir, confDir } : commonFolders;
}

function isFolder(path: string, listFolder: Terminal['listFolder']): boolean {
  try {
    listFolder(path);
    return true;
  } catch (error) {
    return !isMissingFile(error);
  }
}

function warningsOf({ commands, config }: Containerd): readonly string[] {
  const runtimes = 'value' in config ? config.value.otherRuntimes : [];
  return [
    ...('error' in commands
      ? [
          `containerd may use another configuration: its command line is unknown (${commands.error}). If it does, specify the folders`,
        ]
      : []),
    ...(runtimes.length > 0
      ? [`Pods of runtime ${runtimes.join(', ')} use another configuration folder (cni_conf_dir)`]
      : []),
  ];
}
