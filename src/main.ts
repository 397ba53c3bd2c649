import { supportedVersions } from './cni/version.ts';
import { answerVersion, failure, noOutput, type Outcome } from './plugin/outcome.ts';
import { readStdinWithin, writeStderr, writeStdout } from './system/stdio.ts';
import { version } from './version.ts';

const command = process.env['CNI_COMMAND'];
const args = process.argv.slice(2);
if (command) {
  process.once('uncaughtException', (error) => finish(failure(error)));
  process.once('beforeExit', () => finish(failure(endlessWait())));
  void answer(command).then(finish);
} else if (args.length > 0) {
  void runCommandLine(args);
} else {
  writeStderr(
    `win-hcn ${version}: a CNI plugin for the Windows Host Compute Network.\n` +
      `CNI protocol versions supported: ${supportedVersions.join(', ')}\n` +
      'Container runtimes set CNI_COMMAND and pass a network configuration on stdin.\n' +
      'For the command line: win-hcn --help\n',
  );
}

/** The plugin is another bundle, which VERSION does not load. It prints the result of an ADD itself. */
async function answer(command: string): Promise<Outcome> {
  if (command === 'VERSION') return answerVersion(readStdinWithin);
  const { run, system } = await import('./plugin/main.ts');
  const outcome = await run(system, undefined, writeStdout);
  return outcome.exitCode === 0 ? noOutput : outcome;
}

let finished = false;

/**
 * Prints the rest of the output with one write, on stderr if stdout fails, and ends the process. A hanging HCN call would keep the process
 * alive, even through `process.exit` and even after a success: STATUS succeeds when HCN is late. So would a stdin that never ends.
 */
function finish({ exitCode, stdout }: Outcome): void {
  if (finished) return;
  finished = true;
  process.exitCode = exitCode;
  setTimeout(() => void terminate(exitCode), 500).unref();
  try {
    writeStdout(stdout);
  } catch (error) {
    process.exitCode = 1;
    writeStderr(`win-hcn: cannot write to stdout: ${error}\n${stdout}`);
  }
}

/** Ends a process that still waits. Without koffi, which only a stdin without end can make necessary here, the exit code is lost. */
async function terminate(exitCode: number): Promise<void> {
  try {
    const { endProcess } = await import('./plugin/main.ts');
    endProcess(exitCode);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** The command line is another bundle, which ends the process itself. */
async function runCommandLine(args: readonly string[]): Promise<void> {
  const fail = () => {
    process.exitCode = 1;
    writeStderr(`win-hcn: internal error: ${endlessWait().message}\n`);
  };
  process.once('beforeExit', fail);
  const { commandLine, exitSoon, system, terminal } = await import('./cli/main.ts');
  const exitCode = await commandLine(args, system, terminal);
  process.off('beforeExit', fail);
  exitSoon(exitCode);
}

/** Node ends a process that waits for nothing, with exit code 0: without an answer that would be a success. */
function endlessWait(): Error {
  return new Error('it waits for something that cannot happen');
}
