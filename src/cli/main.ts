import { type Command, CommanderError, type Help } from 'commander';
import { endProcess } from '../hcn/native-library.ts';
import type { System } from '../system.ts';
import { version } from '../version.ts';
import { collectCommand } from './collect/command.ts';
import { configCommand } from './config/command.ts';
import { debugCommand } from './debug/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { explainCommand } from './explain/command.ts';
import { gcCommand } from './gc/command.ts';
import { installCommand } from './install/install.ts';
import { uninstallCommand } from './install/uninstall.ts';
import { upgradeCommand } from './install/upgrade.ts';
import { lsCommand } from './ls.ts';
import { networkCommand } from './network/command.ts';
import { showCommand } from './show/command.ts';
import { helpStyle, newCommand, withHelpCommand } from './terminal/new-command.ts';
import { type FormatFlags, formatOption } from './terminal/options.ts';
import { serialized } from './terminal/output.ts';
import {
  type ExitCode,
  exitCode,
  exitCodeOf,
  failureMessage,
  newSession,
  OutputError,
  type Session,
} from './terminal/session.ts';
import type { Terminal } from './terminal/terminal.ts';
import { traceCommand } from './trace/command.ts';

/** For src/main.ts to pass back in: the plugin's bundle has its own error classes, which this bundle would not recognize. */
export { system } from '../system.ts';
export { terminal } from './terminal/terminal.ts';

/** The commands, in the groups and the order of the help. */
const commandGroups: Readonly<Record<string, readonly ((session: Session) => Command)[]>> = {
  'Diagnose:': [doctorCommand, explainCommand, lsCommand, showCommand, traceCommand, collectCommand],
  'Create and test a configuration:': [configCommand],
  'Change HCN objects:': [networkCommand, gcCommand, debugCommand],
  'Install:': [installCommand, upgradeCommand, uninstallCommand],
  'Other:': [versionCommand],
};

function versionCommand(session: Session): Command {
  return newCommand('version', session, {
    summary: 'show the version',
    description: 'Shows the version of win-hcn.',
    examples: ['win-hcn version'],
  })
    .addOption(formatOption())
    .action(({ output }: FormatFlags) => session.print(serialized({ winHcn: version }, output) ?? version));
}

/** win-hcn with all its commands. */
export function newProgram(session: Session): Command {
  const program = newCommand('win-hcn', session, {
    summary: 'A CNI plugin for the Windows Host Compute Network (HCN), with diagnostics.',
    examples: [],
  })
    .version(version, '-v, --version', 'show the version')
    .option('--verbose', 'show the JSON that HNS returned with an error')
    .helpOption('-h, --help', "show this help; 'win-hcn COMMAND --help' shows options")
    .configureHelp({ ...helpStyle(session), formatHelp: firstPage });
  for (const [title, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(title);
    for (const command of commands) program.addCommand(command(session));
  }
  return withHelpCommand(program);
}

/** Runs one command line and returns its exit code. Never rejects: failures are printed to stderr. */
export async function commandLine(
  args: readonly string[],
  system: System,
  terminal: Terminal,
): Promise<ExitCode> {
  let lastExitCode: ExitCode = exitCode.success;
  const session = newSession(system, terminal, (code) => {
    lastExitCode = code;
  });
  const program = newProgram(session);
  try {
    await program.parseAsync(args, { from: 'user' });
    return lastExitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.wrongUsage;
    if (!(error instanceof OutputError && error.expected))
      session.printStderr(`win-hcn: ${failureMessage(error, program.opts()['verbose'] === true)}`);
    return exitCodeOf(error);
  }
}

/** The help of win-hcn, which fits 24 lines of 80 columns. Options show what the commands `version` and `help` do. */
function firstPage(program: Command, help: Help): string {
  const width = help.padWidth(program, help);
  const wrapped = (text: string) => help.boxWrap(text, help.helpWidth ?? 80);
  const commands = help
    .visibleCommands(program)
    .filter((command) => !['version', 'help'].includes(command.name()));
  return [
    `${help.styleTitle('Usage:')} ${help.commandUsage(program)}`,
    wrapped(program.description()),
    '',
    ...commands.map((one) => help.formatItem(one.name(), width, one.summary(), help)),
    '',
    ...help.visibleOptions(program).map((one) => help.formatItem(one.flags, width, one.description, help)),
    '',
    wrapped('Exit codes: 0 success, 1 problem found, 2 invalid usage, 3 HNS does not respond'),
    '',
  ].join('\n');
}

/** Ends the process with an exit code: at once if nothing is pending, otherwise after 500 ms, because an HCN call may hang. */
export function exitSoon(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => {
    endProcess(exitCode);
    process.kill(process.pid, 'SIGKILL');
  }, 500).unref();
}
