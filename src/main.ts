import { supportedVersions } from './cni/version.ts';
import { failure, run } from './plugin/run.ts';
import { system } from './system.ts';
import { version } from './version.ts';

/**
 * The answer is printed with one write. A hanging HCN call would keep the process alive, even through `process.exit`, and even after a
 * success: STATUS succeeds when HCN is late. The command line ends its process itself.
 */
const words = process.argv.slice(2);
if (system.environment['CNI_COMMAND']) {
  process.once('uncaughtException', (error) => answer(failure(error)));
  run(system).then(answer);
} else if (words.length > 0) {
  runCommandLine(words);
} else {
  system.writeStderr(
    `win-hcn ${version}: a CNI plugin for the Windows Host Compute Network.\n` +
      `CNI protocol versions supported: ${supportedVersions.join(', ')}\n` +
      'A container runtime runs it with CNI_COMMAND in the environment and a network configuration on stdin.\n' +
      'For what it does by hand: win-hcn --help\n',
  );
}

let answered = false;

function answer({ exitCode, stdout }: Ended): void {
  if (answered) return;
  answered = true;
  process.exitCode = exitCode;
  setTimeout(() => endNow(exitCode), 500).unref();
  try {
    system.writeStdout(stdout);
  } catch {
    process.exitCode = 1;
  }
}

/** Without a loaded library `endProcess` does nothing: after a failure, kill the process instead. */
async function endNow(exitCode: number): Promise<void> {
  const { endProcess } = await import('./hcn/native-library.ts');
  endProcess(exitCode);
  if (exitCode !== 0) process.kill(process.pid, 'SIGKILL');
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
}

async function runCommandLine(words: readonly string[]): Promise<void> {
  const { loadCommandLine } = await import('./load-cli.ts');
  const { commandLine, exitSoon, system, terminal } = await loadCommandLine();
  exitSoon(await commandLine(words, system, terminal));
}
