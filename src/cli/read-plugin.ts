import { selectPlugin } from './choose-plugin.ts';
import { readConfigFile } from './config-file.ts';
import type { ListedPlugin } from './plugin-list.ts';
import { exitCode, type Session } from './session.ts';
import { printProblems } from './validate/print.ts';
import { type Validation, validateFile } from './validate/validate-file.ts';

/**
 * The plugin of a valid configuration file that a command is about; for undefined it is told why, and the command's end is said.
 * `tell` says what there is to say of the file, which is nothing of a valid one where it is absent.
 */
export function readPlugin(
  file: string,
  type: string | undefined,
  session: Session,
  tell: (validation: Validation) => void = tellProblems(file, session),
): ListedPlugin | undefined {
  const bytes = session.read(file);
  const validation = validateFile(bytes, file, session.system.executable);
  tell(validation);
  if (validation.problems.length > 0) {
    session.setExitCode(exitCode.problemFound);
    return undefined;
  }
  const plugin = selectPlugin(readConfigFile(bytes).value, file, type, session);
  if (plugin === undefined) session.setExitCode(exitCode.wrongUsage);
  return plugin;
}

function tellProblems(file: string, session: Session): (validation: Validation) => void {
  return (validation) => {
    if (validation.problems.length > 0)
      printProblems(file, validation, { ...session, print: session.printStderr });
  };
}
