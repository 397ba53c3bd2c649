import { statSync } from 'node:fs';
import type { Environment } from './cni/request.ts';
import type { OnCall, Timer } from './hcn/deadline.ts';
import { HcnMissing, HcnUnavailable } from './hcn/errors.ts';
import type { ComputeNetworkLibrary } from './hcn/library.ts';
import type { IpHelper } from './iphlpapi/ip-helper.ts';
import { openLogFile } from './log/log-file.ts';
import type { Exit } from './system/spawn-program.ts';
import { readStdin, readStdinWithin, writeStderr, writeStdout } from './system/stdio.ts';

/** Everything outside this process, which tests replace. */
export interface System {
  readonly environment: Environment;
  readonly windows: boolean;
  /** The path of the running executable. */
  readonly executable: string;
  /** Throws if stdin has more than `most` bytes, and stops reading. Default: `maximumBytes`. */
  readStdin(most?: number): Uint8Array;
  /** Reads stdin until it ends, the time is over, or `maximumBytes` are exceeded; see system/stdio.ts. */
  readStdinWithin(milliseconds: number): Promise<Uint8Array>;
  writeStdout(text: string): void;
  writeStderr(text: string): void;
  isFile(path: string): boolean;
  /** The file at this path; undefined if there is none. */
  findFile(path: string): FoundFile | 'unreadable' | undefined;
  /**
   * Runs a program and copies the first `maximumBytes` of its stderr to win-hcn's. Kills it after `seconds` or if its stdout exceeds
   * `maximumBytes`. Does not wait for its children that still hold its pipes. Rejects if it cannot be started.
   */
  spawn(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit>;
  /** Throws HcnMissing if this machine has no HCN, HcnUnavailable if its library cannot be loaded. */
  loadLibrary(): Promise<ComputeNetworkLibrary>;
  /** Throws like loadLibrary. */
  loadIpHelper(): Promise<IpHelper>;
  readonly timer: Timer;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** The time of day. */
  clock(): Date;
  /** A short random text. */
  newRequestId(): string;
  /** The default log file; empty for none. */
  readonly logFile: string;
  /** On the command line: receives each call that has a time limit. */
  readonly onCall?: OnCall;
  /** On the command line: is called when a rollback starts, and returns what to call at its end. */
  readonly onRollback?: () => () => void;
  /** Returns a function that appends text to a log file and returns whether that succeeded. Never throws. */
  openLog(path: string): (text: string) => boolean;
}

/** A file. Another file at the same path, or a later version of it, has another `id`. `modified` is in milliseconds since 1970. */
export interface FoundFile {
  readonly id: string;
  readonly modified: number;
}

/** The real process and machine. */
export const system: System = {
  environment: process.env,
  windows: process.platform === 'win32',
  executable: process.execPath,
  readStdin,
  readStdinWithin,
  writeStdout,
  writeStderr,
  isFile,
  findFile,
  spawn: async (...program) => (await import('./system/spawn-program.ts')).spawnProgram(...program),
  loadLibrary,
  loadIpHelper,
  timer: (milliseconds, call) => {
    const timeout = setTimeout(call, milliseconds);
    return { cancel: () => clearTimeout(timeout) };
  },
  now: () => Number(process.hrtime.bigint()) / 1e6,
  clock: () => new Date(),
  newRequestId: () =>
    Math.trunc(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  logFile: process.platform === 'win32' ? `${programData()}\\win-hcn\\logs\\win-hcn.log` : '',
  openLog: (path) => openLogFile(path, () => new Date()),
};

/** `C:\ProgramData`. A path without a drive is not used: it could be on another machine. */
function programData(): string {
  const folder = process.env['ProgramData'] ?? '';
  return /^[A-Za-z]:\\/.test(folder) ? folder : 'C:\\ProgramData';
}

/** Throws HcnMissing if this machine has no HCN, HcnUnavailable if its library cannot be loaded. */
export async function loadLibrary(): Promise<ComputeNetworkLibrary> {
  const { loadComputeNetwork } = await import('./hcn/computenetwork.ts');
  return orMissing(loadComputeNetwork, '. Install the Windows feature "Containers"');
}

/** Throws like loadLibrary. */
export async function loadIpHelper(): Promise<IpHelper> {
  const { loadIpHelper } = await import('./iphlpapi/load-ip-helper.ts');
  return orMissing(loadIpHelper, '');
}

/** Outside Windows, WIN_HCN_LIBRARY names the library. On Windows only Windows' own libraries are loaded. */
function orMissing<T>(load: (substitute: string | undefined) => T, remedy: string): T {
  const substitute =
    process.platform === 'win32' ? undefined : process.env['WIN_HCN_LIBRARY'] || missingLibrary();
  try {
    return load(substitute);
  } catch (error) {
    const missing = error instanceof HcnUnavailable && error.path !== undefined && !isFile(error.path);
    if (!missing) throw error;
    const hint = substitute === undefined ? remedy : '';
    throw new HcnMissing(`${error.path} is missing${hint}`, error.path, error);
  }
}

function missingLibrary(): never {
  throw new HcnMissing(
    'this machine does not run Windows, and WIN_HCN_LIBRARY does not name a library',
    undefined,
  );
}

/** False for a path that cannot be read: the next folder may have the file. */
export function isFile(path: string): boolean {
  return typeof findFile(path) === 'object';
}

/** Returns `unreadable` for a folder too. */
function findFile(path: string): ReturnType<System['findFile']> {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const { ino, mtimeNs, mtimeMs } = found;
    return found.isFile() ? { id: `${ino} ${mtimeNs}`, modified: Number(mtimeMs) } : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
