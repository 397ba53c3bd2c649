import { type Command, CommanderError } from 'commander';
import { endProcess } from '../hcn/native-library.ts';
import type { System } from '../system.ts';
import { version } from '../version.ts';
import { cniCommand } from './cni/command.ts';
import { collectCommand } from './collect/command.ts';
import { completeCommandName, completionCommand } from './completion/command.ts';
import { complete } from './completion/complete.ts';
import { diffCommand } from './diff/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { endpointCommand } from './endpoint/command.ts';
import { explainCommand } from './explain/command.ts';
import { explainAclCommand } from './explain-acl/command.ts';
import { explainNatCommand } from './explain-nat/command.ts';
import { exitCodeOf, failureMessage } from './failure.ts';
import { gcCommand } from './gc/command.ts';
import { graphCommand } from './graph/command.ts';
import { loadBalancerCommand } from './loadbalancer/command.ts';
import { lsCommand } from './ls/command.ts';
import { namespaceCommand } from './namespace/command.ts';
import { networkCommand } from './network/command.ts';
import { newCommand } from './new-command.ts';
import { planCommand } from './plan/command.ts';
import { type ExitCode, exitCode, newSession, OutputError, type Session } from './session.ts';
import { showCommand } from './show/command.ts';
import type { Terminal } from './terminal.ts';
import { validateCommand } from './validate/command.ts';

/** For src/main.ts to pass back in: the plugin's bundle has its own error classes, which this bundle would not recognize. */
export { system } from '../system.ts';
export { terminal } from './terminal.ts';

/** win-hcn with all its commands. */
export function newProgram(session: Session): Command {
  return newCommand('win-hcn', session, {
    summary: 'A CNI plugin for the Windows Host Compute Network, and what helps when it is run by hand.',
    examples: [
      'win-hcn doctor',
      'win-hcn explain 0x803b002f',
      'win-hcn show pod 0e12d1d5a8cfb',
      'win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
    ],
  })
    .version(version, '-V, --version', 'show the version')
    .addHelpText('after', ending)
    .commandsGroup('Find out what is wrong:')
    .addCommand(doctorCommand(session))
    .addCommand(explainCommand(session))
    .addCommand(lsCommand(session))
    .addCommand(showCommand(session))
    .addCommand(graphCommand(session))
    .addCommand(explainNatCommand(session))
    .addCommand(explainAclCommand(session))
    .addCommand(diffCommand(session))
    .addCommand(collectCommand(session))
    .commandsGroup('Try a configuration:')
    .addCommand(validateCommand(session))
    .addCommand(planCommand(session))
    .addCommand(cniCommand(session))
    .commandsGroup('Change what HCN has:')
    .addCommand(networkCommand(session))
    .addCommand(namespaceCommand(session))
    .addCommand(endpointCommand(session))
    .addCommand(loadBalancerCommand(session))
    .addCommand(gcCommand(session))
    .commandsGroup('Use this command line:')
    .addCommand(completionCommand(session))
    .helpCommand('help [command]', 'show the help of a command');
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
  if (args[0] === completeCommandName) return complete(program, args.slice(1), session);
  try {
    await program.parseAsync(args, { from: 'user' });
    return lastExitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.wrongUsage;
    if (!(error instanceof OutputError && error.expected))
      session.printStderr(`win-hcn: ${failureMessage(error)}`);
    return exitCodeOf(error);
  }
}

const ending = `
Exit codes: 0 success, 1 a problem was found, 2 wrong usage, 3 the Host Network Service does not answer.
Colours are for terminals only, and none with NO_COLOR set.
A container runtime sets CNI_COMMAND, and then none of this is looked at.`;

/** Ends the process with an exit code: at once if nothing is pending, otherwise after 500 ms, because an HCN call may hang. */
export function exitSoon(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => {
    endProcess(exitCode);
    process.kill(process.pid, 'SIGKILL');
  }, 500).unref();
}
