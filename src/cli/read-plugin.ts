import { choosePlugin } from './choose-plugin.ts';
import { readConfigFile } from './config-file.ts';
import type { ListedPlugin } from './plugin-list.ts';
import { exitCode, type Session } from './session.ts';
import { printProblems } from './validate/print.ts';
import { validateFile } from './validate/validate-file.ts';

/** The plugin of a valid configuration file that a command is about; for undefined it is told why, and the command's end is said. */
export function readPlugin(
  file: string,
  type: string | undefined,
  session: Session,
): ListedPlugin | undefined {
  const bytes = session.read(file);
  const validation = validateFile(bytes, file, session.system.executable);
  if (validation.problems.length > 0) {
    printProblems(file, validation, { ...session, print: session.remark });
    session.end(exitCode.problemFound);
    return undefined;
  }
  const plugin = choosePlugin(readConfigFile(bytes).value, file, type, session);
  if (plugin === undefined) session.end(exitCode.usage);
  return plugin;
}
