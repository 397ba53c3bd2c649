import { supportedVersions } from './cni/version.ts';
import { failure, run } from './plugin/run.ts';
import { system } from './system.ts';
import { version } from './version.ts';

const args = process.argv.slice(2);
if (system.environment['CNI_COMMAND']) {
  process.once('uncaughtException', (error) => finish(failure(error)));
  void run(system).then(finish);
} else if (args.length > 0) {
  void runCommandLine(args);
} else {
  system.writeStderr(
    `win-hcn ${version}: a CNI plugin for the Windows Host Compute Network.\n` +
      `CNI protocol versions supported: ${supportedVersions.join(', ')}\n` +
      'Container runtimes set CNI_COMMAND and pass a network configuration on stdin.\n' +
      'For the command line: win-hcn --help\n',
  );
}

interface PluginResult {
  readonly exitCode: number;
  readonly stdout: string;
}

let finished = false;

/**
 * Prints the result with one write and ends the process. A hanging HCN call would keep the process alive, even through `process.exit`
 * and even after a success: STATUS succeeds when HCN is late.
 */
function finish({ exitCode, stdout }: PluginResult): void {
  if (finished) return;
  finished = true;
  process.exitCode = exitCode;
  setTimeout(() => terminate(exitCode), 500).unref();
  try {
    system.writeStdout(stdout);
  } catch {
    process.exitCode = 1;
  }
}

/** `endProcess` has no effect without koffi; a failed request then kills the process. */
async function terminate(exitCode: number): Promise<void> {
  const { endProcess } = await import('./hcn/native-library.ts');
  endProcess(exitCode);
  if (exitCode !== 0) process.kill(process.pid, 'SIGKILL');
}

/** The command line has its own copy of these modules and ends the process itself. */
async function runCommandLine(args: readonly string[]): Promise<void> {
  const { loadCommandLine } = await import('./load-cli.ts');
  const { commandLine, exitSoon, system, terminal } = await loadCommandLine();
  exitSoon(await commandLine(args, system, terminal));
}
