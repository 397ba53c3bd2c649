import type { Command } from 'commander';
import { joinPath } from '../doctor/windows-path.ts';
import { newCommand } from '../new-command.ts';
import { yesOption } from '../options.ts';
import { exitCode, type Session } from '../session.ts';
import { wrapSentences } from '../wrap.ts';
import { exclusively } from './exclusive.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { executableName, previousName, stagedName } from './layout.ts';
import { repairExecutables } from './repair.ts';
import { type InstallStep, runSteps, titleOf } from './step.ts';

interface Flags {
  readonly binDir: string;
  readonly yes?: boolean;
}

/** `install`: installs the running exe on this node. */
export function installCommand(session: Session): Command {
  return newCommand('install', session, {
    summary: 'install win-hcn on this node',
    description:
      'Copies this executable to the folder of the CNI plugins. Without --yes, win-hcn only shows the steps.',
    examples: [
      'win-hcn install --bin-dir C:\\opt\\cni\\bin',
      'win-hcn install --bin-dir C:\\opt\\cni\\bin --yes',
    ],
  })
    .requiredOption('--bin-dir <folder>', 'folder of the CNI plugins')
    .option(...yesOption)
    .action((flags: Flags) => exclusively(flags.binDir, () => install(flags, installFiles, session)));
}

async function install({ binDir, yes = false }: Flags, files: InstallFiles, session: Session): Promise<void> {
  if (yes) repairExecutables(binDir, files);
  const steps = planExecutable(session.system.executable, binDir, files);
  if (steps.length === 0) return session.print('Nothing to change.');
  const titles = steps.map((step, index) =>
    wrapSentences(`${index + 1}. ${titleOf(step)}`, session.width, 3),
  );
  session.print(titles.join('\n'));
  if (yes) {
    for (const remark of await runSteps(steps, files)) session.printStderr(remark);
    return;
  }
  session.print(session.style('yellow', 'No changes made. Rerun with --yes to apply.'));
  session.setExitCode(exitCode.problemFound);
}

function planExecutable(source: string, folder: string, files: InstallFiles): readonly InstallStep[] {
  const { sha256 } = files.identify(source);
  const path = joinPath(folder, executableName);
  const isNew = files.status(path) === undefined;
  if (!isNew && files.identify(path).sha256 === sha256) return [];
  const target = executableName;
  return [
    { do: 'stage executable', source, folder, target, sha256 },
    {
      do: 'replace executable',
      folder,
      target,
      staged: stagedName(target, sha256),
      keepAs: previousName(target),
      isNew,
    },
  ];
}
