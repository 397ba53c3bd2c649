import { closeSync, fstatSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { endProcess } from '../../hcn/native-library.ts';
import type { Files } from './files.ts';
import type { PowerShell } from './powershell.ts';
import { readFileEnd, readWholeFile } from './read-file.ts';
import { type PktmonResult, runPktmon, runPowerShell } from './run-program.ts';

/** What the command line needs of its surroundings besides `System`. */
export interface Terminal extends Files, PowerShell {
  /** The columns of stdout's terminal; undefined if stdout is a pipe or a file. */
  readonly width: number | undefined;
  /** The same width for stderr. */
  readonly stderrWidth: number | undefined;
  /** Runs Windows' pktmon.exe and kills it after `seconds`. Never rejects. */
  pktmon(args: readonly string[], seconds: number): Promise<PktmonResult>;
  /** A signal that the next Ctrl+C aborts, instead of ending the process. A second Ctrl+C ends it. */
  interrupt(): AbortSignal;
  /** Calls `handle` at each Ctrl+C, instead of ending the process, until the returned function is called. */
  onInterrupt(handle: () => void): () => void;
  /** Ends the process at once as Ctrl+C does, even if calls hang. */
  endInterrupted(): void;
  /** Waits for `seconds` or until the signal is aborted. */
  pause(seconds: number, signal: AbortSignal): Promise<void>;
  /** The host name of the node, without a domain. */
  hostName(): string;
  /** A random GUID in lower case (RFC 9562, version 4). */
  newGuid(): string;
}

/** STATUS_CONTROL_C_EXIT, with which Windows ends a process at Ctrl+C; elsewhere 128 and the number of SIGINT. */
const interruptedExitCode = process.platform === 'win32' ? 0xc000013a : 130;

/** The terminal of this process. */
export const terminal: Terminal = {
  // Node throws for a stdout that it does not recognize as console, file or pipe, such as one inherited through Wine.
  width: isatty(1) ? process.stdout.columns : undefined,
  stderrWidth: isatty(2) ? process.stderr.columns : undefined,
  readFile: readWholeFile,
  readEnd: (path, most) => {
    try {
      return readFileEnd(path, most);
    } catch {
      return undefined;
    }
  },
  listFolder: (path) => readdirSync(path),
  writeFile: writeWhole,
  removeFile: (path) => rmSync(path, { force: true }),
  powershell: runPowerShell,
  pktmon: runPktmon,
  interrupt: () => {
    const controller = new AbortController();
    process.once('SIGINT', () => controller.abort());
    return controller.signal;
  },
  onInterrupt: (handle) => {
    process.on('SIGINT', handle);
    return () => void process.off('SIGINT', handle);
  },
  endInterrupted: () => {
    endProcess(interruptedExitCode);
    process.exit(interruptedExitCode);
  },
  pause: (seconds, signal) => setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined),
  hostName: hostname,
  newGuid: () => crypto.randomUUID(),
};

function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w');
  const isFile = fstatSync(file).isFile();
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    closeSync(file);
    if (isFile) rmSync(path);
    throw error;
  }
  closeSync(file);
}
