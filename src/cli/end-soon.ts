import { endProcess } from '../hcn/native-library.ts';

/**
 * Has the process end with an exit code: by itself, or soon where a call to HCN hangs, which nobody waits for any more. A kill would
 * do as well, but for the code.
 */
export function exitSoon(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => {
    endProcess(exitCode);
    process.kill(process.pid, 'SIGKILL');
  }, 500).unref();
}
