import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readSync, statSync, writeSync } from 'node:fs';
import type { Environment } from './cni/request.ts';
import { maximumLength } from './cni/text.ts';
import type { Timer } from './hcn/deadline.ts';
import { HcnMissing, HcnUnusable } from './hcn/errors.ts';
import type { ComputeNetworkLibrary } from './hcn/library.ts';
import type { IpHelper } from './iphlpapi/ip-helper.ts';
import { openLogFile } from './log/log-file.ts';

/** A program's end. `exitCode` is null when it was killed, `stdout` undefined when that was because it printed too much. */
export interface Exit {
  readonly exitCode: number | null;
  readonly stdout: string | undefined;
}

/** Everything outside this process, so that a test can hand in its own. */
export interface System {
  readonly environment: Environment;
  readonly windows: boolean;
  /** The path of the running executable. */
  readonly executable: string;
  /** Throws when more than `maximumLength` comes, and reads no further. */
  readStdin(): Uint8Array;
  /** What has come on stdin when it ends, the time is over, or it is longer than `maximumLength`. */
  readStdinWithin(milliseconds: number): Promise<Uint8Array>;
  writeStdout(text: string): void;
  writeStderr(text: string): void;
  isFile(path: string): boolean;
  /**
   * Runs a program, passes its stderr on to ours, and kills it after `seconds` or when it prints more than `maximumLength`.
   * Rejects when it cannot be started.
   * A process it leaves behind with its pipes does not hold us, nor the runtime that waits for ours.
   */
  spawn(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit>;
  /** Throws HcnMissing where there is no HCN, HcnUnusable where its library cannot be loaded. */
  loadLibrary(): Promise<ComputeNetworkLibrary>;
  /** Throws like loadLibrary. */
  loadIpHelper(): Promise<IpHelper>;
  readonly timer: Timer;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** The time of day. */
  clock(): Date;
  /** A short text no other request is likely to have. */
  newRequestId(): string;
  /** Where the log goes when nobody says otherwise; empty for nowhere. */
  readonly logFile: string;
  /** Appends text to a log file, and answers whether it could; never throws. */
  openLog(path: string): (text: string) => boolean;
}

export const system: System = {
  environment: process.env,
  windows: process.platform === 'win32',
  executable: process.execPath,
  readStdin,
  readStdinWithin,
  writeStdout: (text) => writeAll(1, text),
  writeStderr: (text) => writeLog(text),
  isFile,
  spawn: spawnProgram,
  loadLibrary,
  loadIpHelper,
  timer: (milliseconds, call) => {
    const timeout = setTimeout(call, milliseconds);
    return { cancel: () => clearTimeout(timeout) };
  },
  now: () => performance.now(),
  clock: () => new Date(),
  newRequestId: () => randomBytes(4).toString('hex'),
  logFile: process.platform === 'win32' ? `${programData()}\\win-hcn\\logs\\win-hcn.log` : '',
  openLog: (path) => openLogFile(path, () => new Date()),
};

function programData(): string {
  return process.env['ProgramData'] || 'C:\\ProgramData';
}

/** Reads to the end, and at most one byte too many. A closed or missing stdin is an empty one; Windows reports the end of a pipe as an error. */
function readStdin(): Uint8Array {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65536);
  let total = 0;
  for (;;) {
    let length: number;
    try {
      length = readSync(0, chunk, 0, Math.min(chunk.length, maximumLength + 1 - total), null);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') {
        pause();
        continue;
      }
      if (['EOF', 'EISDIR', 'EBADF'].includes(errorCode(error))) break;
      throw error;
    }
    if (length === 0) break;
    total += length;
    if (total > maximumLength)
      throw new Error(
        `more than ${maximumLength} bytes came, ${maximumLength} (1 MiB) are allowed: make it shorter`,
      );
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  return Buffer.concat(chunks);
}

function readStdinWithin(milliseconds: number): Promise<Uint8Array> {
  const stdin = stdinStream();
  if (stdin === undefined) return Promise.resolve(readStdin());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const finish = (): void => {
      clearTimeout(timeout);
      stdin.destroy();
      resolve(Buffer.concat(chunks));
    };
    const timeout = setTimeout(finish, milliseconds);
    stdin.on('data', (data: Buffer) => {
      chunks.push(data);
      total += data.length;
      if (total > maximumLength) finish();
    });
    stdin.on('end', finish);
    stdin.on('error', finish);
  });
}

/** Undefined for what Node takes for no console, file or pipe, such as a pipe that Wine passes on: that can be read all the same. */
function stdinStream(): NodeJS.ReadStream | undefined {
  try {
    return process.stdin;
  } catch {
    return undefined;
  }
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

/** What is written on stderr is for whoever listens; nobody listening is no failure. */
function writeLog(text: string | Buffer): void {
  try {
    writeAll(2, text);
  } catch {
    return;
  }
}

/** A few milliseconds for the other end of a pipe that is not ready. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

/** A path that cannot even be looked at is none: the next folder may have the file. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How long output may still come after a program's end, in milliseconds. */
const linger = 200;

function spawnProgram(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL' } as const;
    const child = spawn(path, { env: environment, windowsHide: true, ...limits });
    const chunks: Buffer[] = [];
    let total = 0;
    child.stdout.on('data', (data: Buffer) => {
      total += data.length;
      if (total <= maximumLength) {
        chunks.push(data);
        return;
      }
      child.kill('SIGKILL');
      child.stdout.destroy();
    });
    child.stderr.on('data', writeLog);
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('exit', (exitCode) => {
      const finish = (): void => {
        clearTimeout(timeout);
        child.stdout.destroy();
        child.stderr.destroy();
        const stdout = total > maximumLength ? undefined : Buffer.concat(chunks).toString();
        resolve({ exitCode, stdout });
      };
      const timeout = setTimeout(finish, linger);
      child.on('close', finish);
    });
    child.stdin.end(stdin);
  });
}

async function loadLibrary(): Promise<ComputeNetworkLibrary> {
  const { loadComputeNetwork } = await import('./hcn/computenetwork.ts');
  return orMissing(loadComputeNetwork, ': the Windows feature "Containers" brings it');
}

async function loadIpHelper(): Promise<IpHelper> {
  const { loadIpHelper } = await import('./iphlpapi/load-ip-helper.ts');
  return orMissing(loadIpHelper, '');
}

/** On Windows nothing can take the place of Windows' own libraries. */
function orMissing<T>(load: (substitute: string | undefined) => T, remedy: string): T {
  const substitute =
    process.platform === 'win32' ? undefined : process.env['WIN_HCN_LIBRARY'] || missingLibrary();
  try {
    return load(substitute);
  } catch (error) {
    const missing = error instanceof HcnUnusable && error.path !== undefined && !isFile(error.path);
    if (!missing) throw error;
    const hint = substitute === undefined ? remedy : '';
    throw new HcnMissing(`there is no ${error.path}${hint}`, error.path, error);
  }
}

function missingLibrary(): never {
  const substitute = 'WIN_HCN_LIBRARY names no library in the place of computenetwork.dll';
  throw new HcnMissing(`this machine is no Windows, and ${substitute}`, undefined);
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
