import { CniError, code } from '../../cni/error.ts';
import type { Session } from '../terminal/session.ts';
import { findGivenConfigPath } from './commands.ts';
import { type Containerd, readContainerd } from './read-containerd.ts';

/** The folders that most installers of Kubernetes give to containerd. */
const commonFolders = { binDir: 'C:\\opt\\cni\\bin', confDir: 'C:\\etc\\cni\\net.d' } as const;

/** The options that name the folders. */
export interface FolderFlags {
  readonly binDir?: string;
  readonly confDir?: string;
}

type Flag = keyof FolderFlags;
const flagNames: Readonly<Record<Flag, string>> = { binDir: '--bin-dir', confDir: '--conf-dir' };

/**
 * The folders given by options, else those of the configuration of the service containerd, else containerd's default folders if there is
 * such a service, else those that most installers use. Throws CniError that asks for the options if that is uncertain, and outside
 * Windows. `maxConfNum` is how many configurations containerd uses, 0 for all. `options`: those that the command has, for the error.
 */
export async function findRuntimeFolders(
  flags: FolderFlags,
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
  options: readonly Flag[] = ['binDir', 'confDir'],
) {
  const missing = options.filter((flag) => flags[flag] === undefined);
  const { binDir, confDir } = flags;
  const given = { ...(binDir !== undefined && { binDir }), ...(confDir !== undefined && { confDir }) };
  if (missing.length === 0) return { ...commonFolders, ...given, maxConfNum: 1 };
  const remedy = `Specify ${missing.map((flag) => flagNames[flag]).join(' and ')}`;
  if (!system.windows)
    throw new CniError(
      code.invalidEnvironment,
      `this machine does not run Windows, so it has no default folders. ${remedy}`,
    );
  const found = await readContainerd(terminal, 'serviceCommandLines');
  const folders = { ...foldersOf(found), maxConfNum: found.folders.maxConfNum };
  const relative = missing.map((flag) => folders[flag]).find((folder) => !/^([A-Za-z]:)?[\\/]/.test(folder));
  const problem =
    findProblem(found) ??
    (relative && `containerd's configuration ${found.path} has the relative folder ${relative}`);
  if (problem !== undefined) throw new CniError(code.ioFailure, `${problem}. ${remedy}`);
  return { ...folders, ...given };
}

/**
 * Why the folders of a configuration cannot be used. Without `--config`, containerd may have no configuration. A process without a
 * service does not decide, because every user can start a process of that name.
 */
function findProblem({ path, commands, config, isConfigMissing }: Containerd): string | undefined {
  if ('error' in commands) return `containerd's command line is unknown (${commands.error})`;
  const { isService, isRunning, serviceCommandLines } = commands.value;
  if (!isService && isRunning)
    return 'containerd.exe runs, but there is no service containerd: any user may have started it';
  const named = `containerd's configuration ${path}`;
  if ('value' in config)
    return config.value.problem === undefined ? undefined : `${named}: ${config.value.problem}`;
  const isOptional = findGivenConfigPath(serviceCommandLines) === undefined;
  return isConfigMissing && isOptional ? undefined : `cannot read ${named}: ${config.error}`;
}

function foldersOf({ commands, config, folders }: Containerd): Required<FolderFlags> {
  const isService = 'value' in commands && commands.value.isService;
  if ('error' in config && !isService) return commonFolders;
  const { binDirs, confDir } = folders;
  return { binDir: binDirs[0] ?? commonFolders.binDir, confDir };
}
