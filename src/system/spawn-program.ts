import { spawn } from 'node:child_process';
import type { Environment } from '../cni/request.ts';
import { maximumBytes } from '../cni/text.ts';
import { writeStderr } from './stdio.ts';

/** A program's end. `exitCode` is null when it was killed, `stdout` undefined when that was because it printed too much. */
export interface Exit {
  readonly exitCode: number | null;
  readonly stdout: string | undefined;
}

/** How long output may still come after a program's end, in milliseconds. */
const linger = 200;

export function spawnProgram(
  path: string,
  environment: Environment,
  stdin: string,
  seconds: number,
): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL' } as const;
    const child = spawn(path, { env: environment, windowsHide: true, ...limits });
    const chunks: Buffer[] = [];
    let total = 0;
    child.stdout.on('data', (data: Buffer) => {
      total += data.length;
      if (total <= maximumBytes) {
        chunks.push(data);
        return;
      }
      child.kill('SIGKILL');
      child.stdout.destroy();
    });
    let complained = 0;
    child.stderr.on('data', (data: Buffer) => {
      complained += data.length;
      if (complained <= maximumBytes) writeStderr(data);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('exit', (exitCode) => {
      const finish = (): void => {
        clearTimeout(timeout);
        child.stdout.destroy();
        child.stderr.destroy();
        const stdout = total > maximumBytes ? undefined : Buffer.concat(chunks).toString();
        resolve({ exitCode, stdout });
      };
      const timeout = setTimeout(finish, linger);
      child.on('close', finish);
    });
    child.stdin.end(stdin);
  });
}
