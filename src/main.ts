import { supportedVersions } from './cni/version.ts';
import { failure, type Outcome, run } from './run.ts';
import { system } from './system.ts';

/**
 * The answer is printed with one write. An HCN call that hangs would keep the process, and `process.exit` too:
 * only a kill ends it, which on Windows is exit code 1. After a success nothing should hang, and a kill would take it back.
 */
if (system.environment['CNI_COMMAND']) {
  process.once('uncaughtException', (error) => answer(failure(error)));
  run(system).then(answer);
} else {
  const version = process.env['WIN_HCN_VERSION'] ?? 'from its sources';
  system.writeStderr(
    `win-hcn ${version}: a CNI plugin for the Windows Host Compute Network.\n` +
      `CNI protocol versions supported: ${supportedVersions.join(', ')}\n` +
      'A container runtime runs it with CNI_COMMAND in the environment and a network configuration on stdin.\n',
  );
}

let answered = false;

function answer({ exitCode, stdout }: Outcome): void {
  if (answered) return;
  answered = true;
  process.exitCode = exitCode;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), exitCode === 0 ? 10_000 : 500).unref();
  try {
    system.writeStdout(stdout);
  } catch {
    process.exitCode = 1;
  }
}
