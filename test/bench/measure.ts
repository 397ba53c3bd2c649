// Runs a program once and measures it with measure.c.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile } from './compile.ts';

/** What one run of a program took: the process alone, except that the time it waits for others counts in `wallUs`. */
export interface Usage {
  readonly wallUs: number;
  /** User and system time. */
  readonly cpuUs: number;
  /** The highest resident set size. */
  readonly memoryKib: number;
  /** With read system calls, also from the page cache. Memory-mapped files do not count. */
  readonly bytesRead: number;
}

export interface Run extends Usage {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Request {
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** Starts measure.c with arguments and an environment and returns what it prints. */
export type Launch = (
  measureArguments: readonly string[],
  environment: Request['environment'],
) => Promise<string>;

export const measureProgram = (): string => compile('measure.c', 'measure');

export const launchHere: Launch = async (measureArguments, env) => {
  const { stdout } = await promisify(execFile)(measureProgram(), measureArguments, { env, timeout: 60_000 });
  return stdout;
};

/** Measures a command in a folder for its input and output, which the launched process calls `inside`. */
export async function measure(
  command: readonly string[],
  { environment, stdin }: Request,
  folder: string,
  launch: Launch = launchHere,
  inside = folder,
): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'stdin'), stdin);
  const printed = await launch([inside, ...command], environment);
  const written = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ...JSON.parse(printed), stdout: written('stdout'), stderr: written('stderr') };
}
