import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { checkFile } from '../conflist/check-file.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, confDirOption, repeatable, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { accessChanges, createFolders, findFolders, type InstallFolders, resolveFolder } from './access.ts';
import { type Configuration, configurationChanges, findConfigurations } from './configurations.ts';
import {
  addonChanges,
  binFilesIn,
  executableChanges,
  removeLeftovers,
  replacedExecutable,
} from './executables.ts';
import { applyChanges } from './file-changes.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { executableName, ownAddon } from './names.ts';
import { fillConflist, type NodeFlags, withNode } from './pod-cidrs.ts';
import {
  type Established,
  endDryRun,
  inFolders,
  printChanges,
  printSentences,
  type WatchFlags,
  watchFiles,
  withWatch,
} from './run-command.ts';

interface Flags extends FolderFlags, NodeFlags, WatchFlags {
  readonly replace?: readonly string[];
  readonly park?: true;
}

/** The name of a configuration from stdin. */
const defaultName = '10-win-hcn.conflist';

/** `install`: installs the running exe on this node. */
export function installCommand(session: Session): Command {
  const command = newCommand('install', session, {
    summary: 'install win-hcn on this node',
    description:
      "Copies this executable and its addon to containerd's plugin folder, and with --conf a configuration to its configuration " +
      'folder. win-hcn reads both folders from config.toml. If containerd is not installed, it uses C:\\opt\\cni\\bin and ' +
      'C:\\etc\\cni\\net.d. Missing folders are created, and access is restricted to administrators and SYSTEM. An older ' +
      'version is replaced, also while containerd runs it, and kept as win-hcn.exe.previous. A file that has the right content is ' +
      'not changed. If a step fails, win-hcn undoes the steps before it. Without --yes, win-hcn only shows the steps. ' +
      'Run it as an administrator.',
    examples: [
      'win-hcn install',
      'win-hcn install --conf 10-win-hcn.conflist --yes',
      'win-hcn install --replace sdnbridge --yes',
      'win-hcn install --bin-dir C:\\k\\azurecni\\bin --conf-dir C:\\k\\azurecni\\netconf --yes',
    ],
  })
    .option(...binDirOption)
    .option(...confDirOption)
    .option('--conf <file>', 'install this conflist or plugin configuration, or - for stdin')
    .option(
      '--park',
      'rename configurations that containerd would use instead of this one to NAME.before-win-hcn',
    )
    .option(
      '--replace <plugin>',
      "put a copy of win-hcn in the place of this plugin, and keep the plugin's own executable; can be repeated",
      repeatable(String),
    )
    .option(...yesOption);
  return withWatch(
    withNode(command),
    'repair or update the installation when the configuration or an installed file changes',
    'copy of the active configuration for readiness probes, absent while the latest one is not active',
  ).action((flags: Flags) =>
    watchFiles(() => installNode(flags, installFiles, session), flags, command, installFiles, session),
  );
}

/** Returns the files that are in force, by the folders as given: a link, such as RKE2's, can lead elsewhere later. */
async function installNode(flags: Flags, files: InstallFiles, session: Session): Promise<Established> {
  const given = await readGiven(flags, session);
  const folders = await findFolders(flags, session, files);
  const { bin, conf } = folders;
  const replace = (flags.replace ?? []).map(replacedExecutable);
  await inFolders(folders, flags.yes, files, () =>
    install({ folders, given, replace }, flags, files, session),
  );
  const programs = [executableName, ...replace, ...[ownAddon()?.name ?? []].flat()];
  return {
    files: [
      ...programs.map((name) => joinPath(bin.given, name)),
      ...(given === undefined ? [] : [joinPath(conf.given, given.name)]),
      ...(flags.conf === undefined ? [] : [flags.conf]),
    ],
    ready: given?.bytes ?? new Uint8Array(),
  };
}

/** Reads the configuration of `--conf` and fills its placeholders. Throws CniError with its problems. */
async function readGiven(flags: Flags, session: Session): Promise<Configuration | undefined> {
  const { conf: path } = flags;
  if (path === undefined) return undefined;
  const name = path === '-' ? defaultName : fileName(path);
  const bytes = await fillConflist(session.read(path), name, flags, session);
  const { problems } = checkFile(bytes, name, session.system.executable);
  if (problems.length === 0) return { name, bytes };
  const lines = problems.map(({ line, column, text }) => `${name}:${line}:${column}: problem: ${text}`);
  throw new CniError(code.invalidConfig, `${path} is invalid`, { details: lines.join('\n') });
}

/** What to install, and where. */
interface Installation {
  readonly folders: InstallFolders;
  readonly given: Configuration | undefined;
  readonly replace: readonly string[];
}

async function install(
  { folders: { bin, conf, maxConfNum }, given, replace }: Installation,
  { yes, park }: Flags,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const { system } = session;
  const logs =
    system.logFile === '' ? [] : [resolveFolder(parentFolder(parentFolder(system.logFile)), files)];
  const access = await accessChanges([bin, conf, ...logs], files, session);
  const { distrusted } = access;
  const changes = [
    ...createFolders([bin, conf, ...logs], system.windows),
    ...access.changes,
    ...addonChanges(ownAddon(), { folder: bin.path, distrusted }, files),
    ...executableChanges({ source: system.executable, folder: bin.path, replace, distrusted }, files),
    ...(given === undefined
      ? []
      : configurationChanges({ folder: conf.path, given, park: park === true, maxConfNum }, files)),
  ];
  session.print(`plugin folder         ${bin.path}\nconfiguration folder  ${conf.path}`);
  printChanges(changes, access.remarks, session);
  if (changes.length === 0) return session.print('win-hcn is installed. Nothing to change.');
  if (!yes) return endDryRun(session);
  const remarks = await applyChanges(changes, files);
  removeLeftovers(bin.path, files);
  const isConfigured =
    findConfigurations(conf.path, files).active.length > 0 ||
    binFilesIn(bin.path, files).some(({ kind }) => kind === 'copy');
  const next = isConfigured
    ? 'Next: run win-hcn doctor, and create a pod on this node.'
    : 'Next: install a conflist with win-hcn install --conf FILE --yes. There is an example for each network type in conflist-examples.';
  printSentences([...remarks, session.style('green', 'win-hcn is installed.'), next], session);
}
