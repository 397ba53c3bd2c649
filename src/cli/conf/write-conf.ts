import { CniError, code } from '../../cni/error.ts';
import { confNames } from '../conflist/conf-names.ts';
import { exclusively } from '../install/exclusive.ts';
import { installFiles } from '../install/files.ts';
import { findFolder } from '../install/folders.ts';
import { withInstallErrors } from '../install/in-use.ts';
import { planFolder } from '../install/plan-folder.ts';
import { runSteps } from '../install/run-steps.ts';
import type { InstallStep } from '../install/step.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';

interface Target {
  readonly file: string;
  readonly confDir?: string;
  readonly yes?: boolean;
}

/** Writes a conflist so that containerd reloads once and never reads half of it. Replaces other content only with `--yes`. */
export async function writeConf(text: string, target: Target, session: Session): Promise<void> {
  const given = await findFolder('confDir', target.confDir, session);
  await withInstallErrors(() => {
    const folder = planFolder(given, installFiles).path;
    return exclusively([folder], () => writeInto(folder, text, target, session));
  });
}

async function writeInto(
  folder: string,
  text: string,
  { file, yes }: Target,
  session: Session,
): Promise<void> {
  const path = joinPath(folder, file);
  const bytes = new TextEncoder().encode(text);
  if (installFiles.status(folder) === undefined)
    throw new CniError(
      code.ioFailure,
      `folder ${folder} does not exist. Run 'win-hcn install --yes' first, which creates the folder and restricts access to it`,
    );
  const existing = installFiles.status(path);
  if (existing !== undefined && existing.kind !== 'file') {
    const kind = existing.kind === 'other' ? 'no file' : `a ${existing.kind}, not a file`;
    throw new CniError(code.ioFailure, `${path} is ${kind}. Delete it, or choose another name with --file`);
  }
  const previous = existing && installFiles.read(path);
  if (previous !== undefined && Buffer.compare(previous, bytes) === 0)
    return session.print(`${path} has this content. Nothing to change.`);
  if (previous !== undefined && yes !== true) {
    session.printStderr(`win-hcn: ${path} exists and has other content. Rerun with --yes to replace it.`);
    return session.setExitCode(exitCode.problemFound);
  }
  const step: InstallStep = { do: 'write configuration', path, bytes, previous };
  for (const remark of await runSteps([step], installFiles)) session.printStderr(`win-hcn: ${remark}`);
  session.print(`Written: ${path}`);
  const [first] = confNames(installFiles.list(folder));
  if (first !== undefined && first !== file)
    session.printStderr(
      `win-hcn: containerd uses ${first} instead, the first file in ${folder}. Rename it so that its name does not end with .conf, .conflist or .json.`,
    );
}
