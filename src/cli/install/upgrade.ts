import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { version } from '../../version.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';
import { accessChanges, type Folder, findFolders } from './access.ts';
import { addonChanges, executableChanges, removeLeftovers } from './executables.ts';
import { applyChanges } from './file-changes.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { ending, executableName, ownAddon } from './names.ts';
import { endDryRun, inFolders, printChanges, printSentences } from './run-command.ts';

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
      const { bin } = await findFolders(flags, session, installFiles, ['binDir']);
      await inFolders({ bin, conf: bin }, flags.yes, installFiles, () =>
        upgrade(bin, flags, installFiles, session),
      );
    });
}

async function upgrade(folder: Folder, flags: Flags, files: InstallFiles, session: Session): Promise<void> {
  const { path: bin } = folder;
  const path = joinPath(bin, executableName);
  const previous = `${path}${ending.previous}`;
  const access = await accessChanges([folder], files, session);
  const { distrusted } = access;
  if (flags.rollback) checkRollback(previous, distrusted, files);
  else if (files.kindOf(path) === undefined)
    throw new CniError(
      code.invalidEnvironment,
      `win-hcn is not installed in ${bin}. Run win-hcn install, or specify another folder with --bin-dir.`,
    );
  const source = flags.rollback ? previous : session.system.executable;
  const changes = [
    ...access.changes,
    ...addonChanges(ownAddon(), { folder: bin, distrusted }, files),
    ...executableChanges({ source, folder: bin, replace: [], distrusted }, files),
  ];
  const what = flags.rollback ? 'The previous version' : `win-hcn ${version}`;
  printChanges(changes, access.remarks, session);
  if (changes.length === 0) return printSentences([`${what} is already installed in ${bin}.`], session);
  if (!flags.yes) return endDryRun(session);
  const remarks = await applyChanges(changes, files);
  removeLeftovers(bin, files);
  const hint =
    files.kindOf(previous) &&
    `The old version is kept as ${previous}. To return to it, run win-hcn upgrade --rollback --yes.`;
  const done = session.style('green', `${what} is now installed.`);
  printSentences([...remarks, done, hint ?? []].flat(), session);
}

/** Throws CniError if there is no previous version, or if it must not be run. */
function checkRollback(previous: string, distrusted: readonly string[], files: InstallFiles): void {
  const isMissing = files.kindOf(previous) !== 'file';
  if (!isMissing && !distrusted.includes(previous)) return;
  const problem = isMissing
    ? `there is no previous version: ${previous} is missing`
    : `the previous version ${previous} is not run, because accounts other than administrators could have modified it`;
  throw new CniError(code.ioFailure, `${problem}. Run win-hcn upgrade with the executable of that version.`);
}
