import { spawn } from 'node:child_process';
import type { Environment } from '../cni/request.ts';
import { maximumBytes } from '../cni/text.ts';
import { writeStderr } from './stdio.ts';

/** `exitCode` is null if the program was killed, `stdout` undefined if it was killed because of too much output. */
export interface Exit {
  readonly exitCode: number | null;
  readonly stdout: string | undefined;
}

/** How long to read output after a program's end. */
const drainMilliseconds = 200;

/** Runs a program with text on stdin; resolves to its output. */
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
    let stdoutLength = 0;
    child.stdout.on('data', (data: Buffer) => {
      stdoutLength += data.length;
      if (stdoutLength <= maximumBytes) {
        chunks.push(data);
        return;
      }
      child.kill('SIGKILL');
      child.stdout.destroy();
    });
    let stderrLength = 0;
    child.stderr.on('data', (data: Buffer) => {
      stderrLength += data.length;
      if (stderrLength <= maximumBytes) writeStderr(data);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('exit', (exitCode) => {
      const finish = (): void => {
        clearTimeout(timeout);
        child.stdout.destroy();
        child.stderr.destroy();
        const stdout = stdoutLength > maximumBytes ? undefined : Buffer.concat(chunks).toString();
        resolve({ exitCode, stdout });
      };
      const timeout = setTimeout(finish, drainMilliseconds);
      child.on('close', finish);
    });
    child.stdin.end(stdin);
  });
}
