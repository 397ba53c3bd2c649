import { readIpamType } from '../../config/essential-keys.ts';
import { openConfig } from '../../config/open-config.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import type { JsonObject } from '../../json/members.ts';
import { commandContextOf, newStepTargets } from '../../plugin/command-context.ts';
import { executeSteps, type OnApplied } from '../../steps/execute.ts';
import type { System } from '../../system.ts';
import { checkFile, type FileReport } from '../conflist/check-file.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { type ListedPlugin, selectPlugin } from '../conflist/plugin-list.ts';
import { printFileReport } from '../conflist/print.ts';
import { exitCode, type Session } from '../terminal/session.ts';

/**
 * Checks a configuration file and selects the plugin to use. Returns undefined, after reporting them and setting the exit code, if
 * the file has problems. Throws CniError if no single plugin fits. `onReport` receives what was found; by default only problems are printed,
 * to stderr.
 */
export function readPlugin(
  file: string,
  session: Session,
  onReport: (found: FileReport) => void = (found) => {
    if (found.problems.length > 0) printFileReport(file, found, { ...session, print: session.printStderr });
  },
): ListedPlugin | undefined {
  const bytes = session.read(file);
  const found = checkFile(bytes, file, session.system.executable);
  onReport(found);
  if (found.problems.length > 0) {
    session.setExitCode(exitCode.problemFound);
    return undefined;
  }
  return selectPlugin(readConfigFile(bytes).value, file, session.system.executable);
}

interface OpenOptions {
  /** CNI_ARGS. */
  readonly args?: string;
  /** Is called after each step that changed something. */
  readonly onApplied?: OnApplied;
  /** The IPAM plugin's input. Default: empty, for commands that do not run it. */
  readonly stdin?: string;
}

/** Opens a configuration as ADD does, with the context that its ADD would run in, and what this context changes. Throws the CniError that ADD would return. */
export function openPlugin(
  pluginConfig: JsonObject,
  system: System,
  { args = '', onApplied, stdin = '' }: OpenOptions = {},
) {
  const opened = openConfig(pluginConfig, system.executable, args);
  const ignoreLog = () => undefined;
  const targets = newStepTargets('ADD', opened.json, stdin, system, ignoreLog);
  return {
    config: readNetworkConfig(opened.json, { CNI_ARGS: args }, opened),
    ipam: readIpamType(opened.json),
    targets,
    context: commandContextOf(targets, executeSteps(targets, onApplied), ignoreLog),
  };
}
