import { randomBytes } from 'node:crypto';
import type { Environment } from './cni/request.ts';
import type { Timer } from './hcn/deadline.ts';
import type { ComputeNetworkLibrary } from './hcn/library.ts';
import type { IpHelper } from './iphlpapi/ip-helper.ts';
import { openLogFile } from './log/log-file.ts';
import { isFile } from './system/is-file.ts';
import { loadIpHelper, loadLibrary } from './system/load-libraries.ts';
import { type Exit, spawnProgram } from './system/spawn-program.ts';
import { readStdin, readStdinWithin, writeStderr, writeStdout } from './system/stdio.ts';

/** Everything outside this process, so that a test can hand in its own. */
export interface System {
  readonly environment: Environment;
  readonly windows: boolean;
  /** The path of the running executable. */
  readonly executable: string;
  /** Throws when more than `maximumBytes` comes, and reads no further. */
  readStdin(): Uint8Array;
  /**
   * What has come on stdin when it ends, the time is over, or it is longer than `maximumBytes`. A pipe that is none to Node is
   * read to its end.
   */
  readStdinWithin(milliseconds: number): Promise<Uint8Array>;
  writeStdout(text: string): void;
  writeStderr(text: string): void;
  isFile(path: string): boolean;
  /**
   * Runs a program, passes the first `maximumBytes` of its stderr on to ours, and kills it after `seconds` or when it prints more than `maximumBytes`.
   * Rejects when it cannot be started.
   * A process it leaves behind with its pipes does not hold us, nor the runtime that waits for ours.
   */
  spawn(path: string, environment: Environment, stdin: string, seconds: number): Promise<Exit>;
  /** Throws HcnMissing where there is no HCN, HcnUnavailable where its library cannot be loaded. */
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
  writeStdout,
  writeStderr,
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

/** `C:\ProgramData`; a path that is on no drive could be on another machine. */
function programData(): string {
  const folder = process.env['ProgramData'] ?? '';
  return /^[A-Za-z]:\\/.test(folder) ? folder : 'C:\\ProgramData';
}
