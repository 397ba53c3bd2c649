import type { Command } from 'commander';
import { version } from '../../version.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { ownAddon } from './addon.ts';
import { exclusively } from './exclusive.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { findFolder } from './folders.ts';
import { withInstallErrors } from './in-use.ts';
import { executableName, previousName } from './layout.ts';
import { planAccess, protectedFiles } from './plan-access.ts';
import { planFolder } from './plan-folder.ts';
import { planRollback, planUpgrade, type Upgrade } from './plan-upgrade.ts';
import { endDryRun, printPlan } from './print-plan.ts';
import { removeLeftovers, repairExecutables } from './repair.ts';
import { runSteps } from './run-steps.ts';
import { titleOf } from './step.ts';
import { removeUnneededAddons } from './unneeded-addons.ts';

interface Flags {
  readonly binDir?: string;
  readonly rollback?: true;
  readonly yes?: true;
}

/** `upgrade`: puts the running exe in place of the installed one, or the previous one back. */
export function upgradeCommand(session: Session): Command {
  return newCommand('upgrade', session, {
    summary: 'upgrade the installed win-hcn, or roll back',
    description:
      "Replaces the installed win-hcn.exe in containerd's plugin folder, and copies of it under the names of other plugins, with this executable. Run it with " +
      'the executable of the new version. It works while pods start: requests that are running finish with the old version, and ' +
      'later ones use the new version.\n\n' +
      'The new executable is copied beside the old one, run once, and renamed. If Windows refuses to replace the old executable for 2 s ' +
      'because requests are running it, upgrade renames the old one first. A request that starts between the two renames fails, and ' +
      'the kubelet retries it.\n\n' +
      'The old executable is kept as win-hcn.exe.previous. --rollback returns to it. If upgrade fails or is interrupted, the old or ' +
      'the new version is installed; the next upgrade or install deletes leftovers.\n\n' +
      'upgrade is a dry run without --yes.',
    examples: [
      'C:\\temp\\win-hcn.exe upgrade',
      'C:\\temp\\win-hcn.exe upgrade --yes',
      'win-hcn upgrade --rollback --yes',
    ],
  })
    .option(...binDirOption)
    .option('--rollback', 'return to the previous version')
    .option(...yesOption)
    .action(async (flags: Flags) => {
      const path = await findFolder('binDir', flags.binDir, session);
      await withInstallErrors(() => {
        const folder = planFolder(path, installFiles).path;
        return exclusively([folder], () => upgrade({ path, folder }, flags, installFiles, session));
      });
    });
}

/** `path`: the folder's path with links. */
async function upgrade(
  { path: given, folder }: { readonly path: string; readonly folder: string },
  flags: Flags,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  if (flags.yes && files.status(folder) !== undefined) repairExecutables(folder, files);
  const source = session.system.executable;
  const access = await planAccess(
    { folders: [given], ...protectedFiles({ bin: folder }, files) },
    files,
    session,
  );
  const { distrusted } = access;
  const upgraded = flags.rollback
    ? await planRollback({ folder, distrusted }, files)
    : await planUpgrade({ source, version, addon: ownAddon(), folder, distrusted }, files);
  const planned = { ...upgraded, steps: [...access.steps, ...upgraded.steps] };
  const path = joinPath(folder, executableName);
  if (planned.steps.length === 0) {
    printPlan([], access.remarks, session);
    const hint = files.isOwnProgram(path) ? ' To upgrade, run the executable of the new version.' : '';
    session.print(
      wrapSentences(`win-hcn ${planned.to} is already installed in ${folder}.${hint}`, session.width),
    );
    return;
  }
  session.print(wrapSentences(titleOfUpgrade(planned, folder, flags), session.width));
  printPlan(planned.steps.map(titleOf), access.remarks, session);
  if (!flags.yes) return endDryRun(session);
  for (const remark of await runSteps(planned.steps, files)) session.printStderr(remark);
  removeLeftovers(folder, files);
  removeUnneededAddons(folder, files);
  session.print(session.style('green', `win-hcn ${planned.to} is now installed.`));
  const previous = joinPath(folder, previousName(executableName));
  if (files.status(previous) === undefined) return;
  session.print(
    `${planned.from ?? 'The old version'} is kept as ${previous}. To return to it, run:\n  ${rollbackCommand(path, flags)}`,
  );
}

function titleOfUpgrade(
  { from = 'an unknown version', to }: Upgrade,
  folder: string,
  { rollback }: Flags,
): string {
  return `${rollback ? 'Rollback' : 'Upgrade'} of win-hcn in ${folder} from ${from} to ${to}:`;
}

/** For PowerShell. */
function rollbackCommand(path: string, { binDir }: Flags): string {
  const program = quoted(path) === path ? path : `& ${quoted(path)}`;
  return `${program} upgrade --rollback --yes${binDir === undefined ? '' : ` --bin-dir ${quoted(binDir)}`}`;
}

function quoted(text: string): string {
  return /^[\w.:\\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
