import type { Command } from 'commander';
import { checkFile } from '../conflist/check-file.ts';
import { readPluginFolders } from '../conflist/checks/runtime.ts';
import { displayName } from '../conflist/config-file.ts';
import { printFileReport } from '../conflist/print.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  binDirOption,
  confDirOption,
  type FormatFlags,
  formatOption,
  repeatable,
  yesOption,
} from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type Addon, ownAddon } from './addon.ts';
import { checkNode } from './check-node.ts';
import { exclusively } from './exclusive.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { findFolders, type InstallFolders, pathsOf } from './folders.ts';
import { withInstallErrors } from './in-use.ts';
import { checkLines, describe, printFolders } from './install-report.ts';
import { keepInstalled, watchSeconds, withWatch } from './keep-installed.ts';
import { binFileOf, executableName } from './layout.ts';
import { fillConflist, type NodeFlags, withNode } from './node-conflist.ts';
import { planAccess, protectedFiles } from './plan-access.ts';
import { findOwnConfigurations, type GivenConfiguration } from './plan-configuration.ts';
import { peerProgram } from './plan-executables.ts';
import { type InstallPlan, planInstall, repairInstallation } from './plan-install.ts';
import { endDryRun, printPlan } from './print-plan.ts';
import { removeLeftovers } from './repair.ts';
import { runSteps } from './run-steps.ts';
import { titleOf } from './step.ts';
import { removeUnneededAddons } from './unneeded-addons.ts';

interface Flags extends FolderFlags, FormatFlags, NodeFlags {
  readonly conf?: string;
  readonly watch?: number;
  readonly readyFile?: string;
  readonly replace?: readonly string[];
  readonly park?: boolean;
  readonly yes?: boolean;
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
      'Afterwards it runs validate, plan and doctor; their results do not change the exit code. Run it as an administrator.',
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
    .option(...yesOption)
    .addOption(formatOption());
  return withWatch(
    withNode(command),
    'repair or update the installation when the configuration or an installed file changes',
    'copy of the active configuration for readiness probes, absent while the latest one is not active',
  ).action((flags: Flags) => {
    const seconds = watchSeconds(flags, command);
    const surroundings = { files: installFiles, addon: ownAddon() };
    return seconds === undefined
      ? installOnce(flags, surroundings, session)
      : keepInstalled(
          seconds,
          flags,
          (given) => installNode(flags, given, surroundings, session),
          installFiles,
          session,
        );
  });
}

/** What an installation uses besides the session, which tests replace. */
interface Surroundings {
  readonly files: InstallFiles;
  readonly addon: Addon | undefined;
}

async function installOnce(flags: Flags, surroundings: Surroundings, session: Session): Promise<void> {
  const given = await readGiven(flags, session);
  if (given === 'invalid') session.setExitCode(exitCode.problemFound);
  else await installNode(flags, given, surroundings, session);
}

/** Returns the files that are in force, by the folders as given: a link, such as RKE2's, can lead elsewhere later. */
async function installNode(
  flags: Flags,
  given: GivenConfiguration | undefined,
  surroundings: Surroundings,
  session: Session,
): Promise<readonly string[]> {
  const folders = await findFolders(flags, session);
  await withInstallErrors(() =>
    exclusively(pathsOf(folders, surroundings.files), () =>
      install(flags, folders, given, surroundings, session),
    ),
  );
  const { addon } = surroundings;
  const programs = [
    executableName,
    ...(flags.replace ?? []).map(peerProgram),
    ...(addon ? [addon.name] : []),
  ];
  return [
    ...programs.map((name) => joinPath(folders.bin, name)),
    ...(given === undefined ? [] : [joinPath(folders.conf, given.name)]),
  ];
}

const retrySeconds = 60;

/** The configuration of `--conf`; `invalid`, after reporting why, if it has problems. */
async function readGiven(
  flags: Flags,
  session: Session,
): Promise<GivenConfiguration | 'invalid' | undefined> {
  const { conf: path } = flags;
  if (path === undefined) return undefined;
  const bytes = await fillConflist(session.read(path), displayName(path), flags, retrySeconds, session);
  const name = path === '-' ? defaultName : fileName(path);
  const validation = checkFile(bytes, name, session.system.executable, readPluginFolders(session));
  if (validation.problems.length === 0) return { name, bytes };
  printFileReport(displayName(path), validation, { ...session, print: session.printStderr });
  return 'invalid';
}

async function install(
  flags: Flags,
  folders: InstallFolders,
  given: GivenConfiguration | undefined,
  { files, addon }: Surroundings,
  outer: Session,
): Promise<void> {
  const session = sessionFor(outer, flags.output);
  const { system } = session;
  const logHome = system.logFile === '' ? undefined : parentFolder(parentFolder(system.logFile));
  if (flags.yes) repairInstallation(folders, ['unfinished', 'removed'], files);
  const homes = logHome === undefined ? [] : [logHome];
  const [bin = '', conf = ''] = pathsOf(folders, files);
  const access = await planAccess(
    { folders: [folders.bin, folders.conf, ...homes], ...protectedFiles({ bin, conf }, files) },
    files,
    session,
  );
  const planned = planInstall(
    {
      source: system.executable,
      addon,
      folders,
      given,
      replace: flags.replace ?? [],
      park: flags.park === true,
      windows: system.windows,
      logHome,
      access,
    },
    files,
  );
  const plan = { ...planned, remarks: [...planned.remarks, ...access.remarks] };
  if (flags.yes === true) await apply(plan, flags, files, session);
  else show(plan, flags, session);
}

function show(plan: InstallPlan, { output }: Flags, session: Session): void {
  const data = serialized(describe(plan, false), output);
  if (data !== undefined) {
    session.print(data);
    if (plan.steps.length > 0) session.setExitCode(exitCode.problemFound);
    return;
  }
  printFolders(plan, session);
  printPlan(plan.steps.map(titleOf), plan.remarks, session);
  if (plan.steps.length > 0) endDryRun(session);
  else session.print('win-hcn is installed. Nothing to change.');
}

async function apply(
  plan: InstallPlan,
  { output, watch, replace }: Flags,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const isText = serialized(plan, output) === undefined;
  if (isText) {
    printFolders(plan, session);
    printPlan(plan.steps.map(titleOf), plan.remarks, session);
  }
  const remarks = await runSteps(plan.steps, files);
  removeLeftovers(plan.folders.bin, files);
  removeUnneededAddons(plan.folders.bin, files);
  if (watch !== undefined) {
    if (remarks.length > 0) session.print(remarks.join('\n'));
    return;
  }
  const configuration = findOwnConfigurations(plan.folders.conf, files)[0];
  const checks = await checkNode(plan.folders, configuration, session);
  const next =
    configuration === undefined && replace === undefined && !hasReplaced(plan.folders.bin, files)
      ? 'Next: install a conflist with win-hcn install --conf FILE --yes. There is an example for each network type in conflist-examples.'
      : 'Next: create a pod on this node. If it has no network, run win-hcn doctor.';
  const data = serialized(
    { ...describe(plan, true), remarks: [...plan.remarks, ...remarks], checks },
    output,
  );
  if (data !== undefined) return session.print(data);
  const outcome = plan.steps.length === 0 ? 'win-hcn was already installed.' : 'win-hcn is installed.';
  const lines = [...remarks, session.style('green', outcome), ...checkLines(checks), next];
  session.print(lines.map((line) => wrapSentences(line, session.width)).join('\n'));
}

/** Whether a copy of win-hcn has the name of a plugin, and with it that plugin's configuration. */
function hasReplaced(folder: string, files: InstallFiles): boolean {
  return files.list(folder).some((name) => binFileOf(name)?.kind === 'kept');
}
