import { spawn } from 'node:child_process';
import { readSync, statSync, writeSync } from 'node:fs';
import type { Environment } from './cni/request.ts';
import type { Timer } from './hcn/deadline.ts';
import { HcnMissing } from './hcn/errors.ts';
import type { ComputeNetworkLibrary } from './hcn/library.ts';

/** A program's end. `exitCode` is null when it was killed. */
export interface Exit {
  readonly exitCode: number | null;
  readonly stdout: string;
}

/** Everything outside this process, so that a test can hand in its own. */
export interface System {
  readonly environment: Environment;
  readonly windows: boolean;
  /** The path of the running executable. */
  readonly executable: string;
  readStdin(): Uint8Array;
  writeStdout(text: string): void;
  writeStderr(text: string): void;
  isFile(path: string): boolean;
  /**
   * Runs a program, passes its stderr on to ours, and kills it after `seconds`. Rejects when it cannot be started.
   * A process it leaves behind with its pipes does not hold us, nor the runtime that waits for ours.
   */
  run(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit>;
  /** Throws HcnMissing, in one sentence, where there is no HCN. */
  loadLibrary(): Promise<ComputeNetworkLibrary>;
  readonly timer: Timer;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
}

export const system: System = {
  environment: process.env,
  windows: process.platform === 'win32',
  executable: process.execPath,
  readStdin,
  writeStdout: (text) => writeAll(1, text),
  writeStderr: (text) => writeAll(2, text),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  run,
  loadLibrary,
  timer: (milliseconds, call) => {
    const timeout = setTimeout(call, milliseconds);
    return { cancel: () => clearTimeout(timeout) };
  },
  now: () => performance.now(),
};

/** Reads to the end. A closed or missing stdin is an empty one; Windows reports the end of a pipe as an error. */
function readStdin(): Uint8Array {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65536);
  for (;;) {
    let length: number;
    try {
      length = readSync(0, chunk);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') {
        pause();
        continue;
      }
      if (['EOF', 'EISDIR', 'EBADF'].includes(errorCode(error))) break;
      throw error;
    }
    if (length === 0) break;
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  return Buffer.concat(chunks);
}

/** Writes to the end: a stream of Node's may still hold the answer when the process ends. */
function writeAll(descriptor: number, text: string | Buffer): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** A few milliseconds for the other end of a pipe that is not ready. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

/** How long output may still come after a program's end. */
const lingerMilliseconds = 200;

function run(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, {
      env: environment,
      windowsHide: true,
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => chunks.push(data));
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.stderr.on('data', (data: Buffer) => writeAll(2, data));
    child.on('exit', () => {
      setTimeout(() => child.stdout.destroy(), lingerMilliseconds);
      setTimeout(() => child.stderr.destroy(), lingerMilliseconds);
    });
    child.on('close', (exitCode) => resolve({ exitCode, stdout: Buffer.concat(chunks).toString() }));
    child.stdin.end(stdin);
  });
}

async function loadLibrary(): Promise<ComputeNetworkLibrary> {
  const path = process.platform === 'win32' ? undefined : process.env['WIN_HCN_LIBRARY'] || undefined;
  if (path === undefined && process.platform !== 'win32') {
    throw new HcnMissing(
      'this machine is no Windows, and WIN_HCN_LIBRARY names no library in the place of computenetwork.dll',
    );
  }
  const { loadComputeNetwork } = await import('./hcn/computenetwork.ts');
  try {
    return loadComputeNetwork(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HcnMissing(
      `cannot load ${path ?? 'computenetwork.dll: is the Windows feature "Containers" installed?'} (${reason})`,
      {
        cause,
      },
    );
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
