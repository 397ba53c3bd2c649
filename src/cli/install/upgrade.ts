import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { version } from '../../version.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, type YesFlag, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';
import { accessChanges } from './access.ts';
import { addonChanges, executableChanges, executableName, ownAddon, previousPath } from './executable.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { type Folder, findFolders } from './folders.ts';
import { type Plan, runPlan } from './plan.ts';

interface Flags extends YesFlag {
  readonly binDir?: string;
  readonly rollback?: true;
}

/** `upgrade`: puts the running exe in place of the installed one, or the previous one back. */
export function upgradeCommand(session: Session): Command {
  return newCommand('upgrade', session, {
    summary: 'upgrade the installed win-hcn, or roll back',
    description:
      'Replaces the installed win-hcn.exe with this executable, and keeps the old one as win-hcn.exe.previous. The new ' +
      'executable is run once first. Pods may start meanwhile: running requests finish with the old version; one that starts ' +
      'between the two renames fails, and the kubelet retries it. If upgrade fails, the old version stays in force; if it is ' +
      'interrupted, run it again.',
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
      const { bin } = await findFolders(flags, session, installFiles, ['binDir']);
      const plan = () => planUpgrade(bin, flags.rollback === true, installFiles, session);
      await runPlan(plan, [bin], flags.yes, installFiles, session);
    });
}

async function planUpgrade(
  bin: Folder,
  isRollback: boolean,
  files: InstallFiles,
  session: Session,
): Promise<Plan> {
  const folder = bin.path;
  const previous = previousPath(folder);
  const isInstalled = [joinPath(folder, executableName), previous].map(
    (path) => files.kindOf(path) === 'file',
  );
  if (!isInstalled.includes(true))
    throw new CniError(
      code.invalidEnvironment,
      `win-hcn is not installed in ${folder}. Run win-hcn install, or specify another folder with --bin-dir.`,
    );
  const access = await accessChanges([bin], session);
  const isOpen = access.isOpen(bin);
  const problem = isInstalled[1]
    ? isOpen && 'could have been modified by accounts other than administrators'
    : 'is missing';
  if (isRollback && problem)
    throw new CniError(
      code.ioFailure,
      `the previous version ${previous} ${problem}. Run win-hcn upgrade with the executable of that version.`,
    );
  const source = isRollback ? previous : session.system.executable;
  const what = isRollback ? 'The previous version' : `win-hcn ${version}`;
  return {
    changes: [
      ...access.changes,
      ...addonChanges(ownAddon(), { folder, isOpen }, files),
      ...executableChanges({ source, folder, isOpen }, files),
    ],
    remarks: access.remarks,
    unchanged: `${what} is already installed in ${folder}.`,
    done: [
      `${what} is now installed.`,
      ...(isOpen || !isInstalled[0]
        ? []
        : [`The old version is kept as ${previous}. To return to it, run win-hcn upgrade --rollback --yes.`]),
    ],
  };
}
