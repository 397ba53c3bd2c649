import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { titleOf as titleOfChange } from '../../steps/table.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, confDirOption, yesOption } from '../terminal/options.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { joinPath, parentFolder } from '../terminal/windows-path.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { exclusively } from './exclusive.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { findFolders, type InstallFolders, pathsOf } from './folders.ts';
import { withInstallErrors } from './in-use.ts';
import { keepUninstalled, watchSeconds, withWatch } from './keep-installed.ts';
import { executableName } from './layout.ts';
import { deleteOwnNetwork, findOwnNetworks, type OwnNetworks, stepsOf } from './own-networks.ts';
import { planFolder } from './plan-folder.ts';
import { repairInstallation } from './plan-install.ts';
import { planUninstall, type UninstallPlan } from './plan-uninstall.ts';
import { endDryRun, printPlan } from './print-plan.ts';
import { runSteps } from './run-steps.ts';
import { titleOf } from './step.ts';

interface Flags extends FolderFlags {
  readonly keepNetworks?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly watch?: number;
  readonly readyFile?: string;
}

/** `uninstall`: removes an installation from this node. */
export function uninstallCommand(session: Session): Command {
  const command = newCommand('uninstall', session, {
    summary: 'remove win-hcn from this node',
    description:
      "Deletes the configurations for win-hcn from containerd's configuration folder, then the networks that win-hcn created for " +
      'them, then win-hcn.exe, its previous version and its addon. The addresses of the source VIPs of these networks are released. ' +
      'Executables and configurations that install has replaced or parked are restored first. Pods that win-hcn has attached prevent this, except with --force: without win-hcn.exe, containerd ' +
      'cannot delete them. Drain the node first. A file in use is renamed if Windows does not delete it. ' +
      'Logs stay. Without --yes, win-hcn only shows the steps. Run it as an administrator.',
    examples: ['win-hcn uninstall', 'win-hcn uninstall --yes', 'win-hcn uninstall --keep-networks --yes'],
  })
    .option(...binDirOption)
    .option(...confDirOption)
    .option('--keep-networks', 'do not delete networks')
    .option('--force', 'also uninstall while pods use its networks')
    .option(...yesOption);
  return withWatch(
    command,
    'uninstall again if win-hcn is installed again',
    'empty file, present only while win-hcn is not installed, for readiness probes',
  ).action(async (flags: Flags) => {
    const seconds = watchSeconds(flags, command);
    if (seconds === undefined) await uninstallNode(flags, session);
    else
      await keepUninstalled(
        seconds,
        flags.readyFile,
        () => uninstallNode(flags, session),
        installFiles,
        session,
      );
  });
}

/** Returns the file that is missing then. */
async function uninstallNode(flags: Flags, session: Session): Promise<readonly string[]> {
  const folders = await findFolders(flags, session);
  const bin = planFolder(folders.bin, installFiles).path;
  await withInstallErrors(() =>
    exclusively(pathsOf(folders, installFiles), () => uninstall(flags, folders, installFiles, session)),
  );
  return [joinPath(bin, executableName)];
}

async function uninstall(
  { yes = false, keepNetworks = false, force = false }: Flags,
  folders: InstallFolders,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  // Configurations that an interrupted uninstallation has withdrawn stay: they name the networks.
  if (yes) repairInstallation(folders, ['unfinished'], files);
  const plan = planUninstall(folders, files);
  const found = await findOwnNetworks(plan.configurations, plan.folders.bin, session);
  const networks = keepNetworks ? { ...found, deletions: [], remarks: [] } : found;
  const problems = force ? [] : podsProblem(found.pods);
  if (yes && problems.length > 0) throw new CniError(code.tryAgainLater, problems.join());
  const titles = [
    ...plan.withdraw.map(titleOf),
    ...networks.deletions.flatMap(stepsOf).map(titleOfChange),
    ...plan.remove.map(titleOf),
  ];
  if (titles.length === 0)
    return session.print(`win-hcn is not installed in ${plan.folders.bin}. Nothing to change.`);
  printPlan(titles, [...plan.remarks, ...networks.remarks, ...problems], session);
  if (!yes) return endDryRun(session);
  const remarks = await apply(plan, networks, files, session);
  const { logFile } = session.system;
  const logs = logFile === '' ? [] : [`The logs stay in ${parentFolder(logFile)}.`];
  const outcome = session.style('green', 'win-hcn is uninstalled.');
  session.print([...remarks, outcome, ...logs].map((line) => wrapSentences(line, session.width)).join('\n'));
}

/** Without win-hcn.exe, or without a configuration, containerd's DEL of these pods fails, and the pods stay. */
function podsProblem(pods: OwnNetworks['pods']): readonly string[] {
  if (pods === 0) return [];
  if (pods === 'unknown')
    return [
      'Pods may have endpoints of win-hcn, and without win-hcn.exe, containerd cannot delete them. Run this command again when HNS responds, or add --force.',
    ];
  const [those, them] = pods === 1 ? ['1 pod has', 'it'] : [`${pods} pods have`, 'them'];
  return [
    `${those} an endpoint of win-hcn, and without win-hcn.exe, containerd cannot delete ${them}. Drain the node and run this command again, or add --force.`,
  ];
}

/** The configurations are out of force before a network is deleted, so that no ADD creates it again. */
async function apply(
  { withdraw, remove }: UninstallPlan,
  { deletions }: OwnNetworks,
  files: InstallFiles,
  session: Session,
): Promise<readonly string[]> {
  const withdrawn = await runSteps(withdraw, files);
  const deleted: string[] = [];
  for (const deletion of deletions) {
    const remark = await deleteOwnNetwork(deletion, session);
    if (remark === undefined) continue;
    deleted.push(remark);
    session.setExitCode(exitCode.problemFound);
  }
  return [...withdrawn, ...deleted, ...(await runSteps(remove, files))];
}
