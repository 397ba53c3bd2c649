import { execFile } from 'node:child_process';
import { isSea } from 'node:sea';
import { errorMessage } from '../cni/error.ts';
import type { ScriptResult } from './powershell.ts';

/** How long a killed process may take to end. */
const graceMilliseconds = 1000;

/** Runs this program with other arguments and kills it after `seconds`. Never rejects. */
export function runSelf(args: readonly string[], seconds: number): Promise<ScriptResult> {
  const [, script = ''] = process.argv;
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL', windowsHide: true } as const;
  return new Promise<ScriptResult>((resolve) => {
    const late = { problem: `the second process did not finish within ${seconds} s` };
    setTimeout(() => resolve(late), limits.timeout + graceMilliseconds).unref();
    execFile(process.execPath, isSea() ? args : [script, ...args], limits, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout });
      else resolve({ problem: `the second process failed: ${stderr.trim() || error.message}` });
    });
  }).catch((error: unknown) => ({ problem: `cannot run the second process: ${errorMessage(error)}` }));
}
