import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { runPowerShell, type ScriptResult } from './powershell.ts';

/** Where a person sits, besides what the system has. */
export interface Terminal {
  /** The columns of stdout's terminal; undefined where stdout is a pipe or a file. */
  readonly width: number | undefined;
  /** The same of stderr. */
  readonly stderrWidth: number | undefined;
  /** Throws as node:fs does. */
  readFile(path: string): Uint8Array;
  /** The names of what is in a folder. Throws as node:fs does. */
  listFolder(path: string): readonly string[];
  /** Makes a file, or replaces one. One that cannot be written to its end is removed. Throws as node:fs does. */
  writeFile(path: string, bytes: Uint8Array): void;
  /** Makes an empty file where there is none, and removes it. Throws as node:fs does. */
  checkCreatable(path: string): void;
  /** Runs a PowerShell script, and kills it after some seconds. Never rejects. */
  powershell(script: string, seconds: number): Promise<ScriptResult>;
  /** Aborted by the next Ctrl+C, which then does not end the process; one more does. */
  interrupt(): AbortSignal;
  /** Waits some seconds, or until a signal is aborted. */
  pause(seconds: number, signal: AbortSignal): Promise<void>;
  /** One that nothing has yet, in lower case (RFC 9562, version 4). */
  newGuid(): string;
}

export const terminal: Terminal = {
  // Node throws for a stdout it takes for no console, file or pipe, such as one that Wine passes on.
  get width() {
    return isatty(1) ? process.stdout.columns : undefined;
  },
  stderrWidth: isatty(2) ? process.stderr.columns : undefined,
  readFile: (path) => readFileSync(path),
  listFolder: (path) => readdirSync(path),
  writeFile: writeWhole,
  checkCreatable: (path) => {
    closeSync(openSync(path, 'wx'));
    rmSync(path);
  },
  powershell: runPowerShell,
  interrupt: () => {
    const controller = new AbortController();
    process.once('SIGINT', () => controller.abort());
    return controller.signal;
  },
  pause: (seconds, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timeout);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timeout = setTimeout(end, seconds * 1000);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    }),
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

/** Whether node:fs says that there is no such file or folder, or that a folder on the way to it is none. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
