// Runs a program once and measures it with measure.c.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile } from './compile.ts';

/**
 * What one run of a program took. On Linux, it includes the child processes that the program waited for, such as an IPAM plugin; under
 * Wine it does not, because a child of a Windows program is no child for Linux.
 */
export interface Usage {
  /** Elapsed time. */
  readonly wallUs: number;
  /** User and system time. */
  readonly cpuUs: number;
  /** The highest resident set size of a single process. */
  readonly memoryKib: number;
  /** With read system calls, also from the page cache. Memory-mapped files do not count. */
  readonly bytesRead: number;
}

/** A run that ended. */
export interface Run extends Usage {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program receives. */
export interface Request {
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The name of the folder of its input and output. Default: run. */
  readonly folder?: string;
  /** Default: a minute. */
  readonly timeoutMs?: number;
}

/** Returns the path of the built measure.c. */
export const measureProgram = (): string => compile('measure.c', 'measure');

/** Measures a command on Linux, with its input and output in a folder of `files`. */
export function measureHere(
  files: string,
  command: readonly string[],
  { environment, stdin, folder: name = 'run', timeoutMs = 60_000 }: Request,
): Promise<Run> {
  const folder = join(files, name);
  return measure(folder, stdin, async () => {
    const options = { env: environment, timeout: timeoutMs };
    return (await promisify(execFile)(measureProgram(), [folder, ...command], options)).stdout;
  });
}

/** Measures what `launch` starts: measure.c with the folder. `launch` returns what it prints. */
export async function measure(folder: string, stdin: string, launch: () => Promise<string>): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'stdin'), stdin);
  const printed = await launch();
  const written = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ...JSON.parse(printed), stdout: written('stdout'), stderr: written('stderr') };
}
