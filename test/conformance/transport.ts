// Starts the plugin: the bundle with this Node, or the shipped exe under Wine.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { exe as exePath, missing, suitePrefix } from '../windows/suite.ts';

export interface Start {
  /** The whole environment; nothing is inherited from this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The bytes of stdin, or a function that writes them. */
  readonly stdin: string | Uint8Array | ((pipe: Writable) => void);
  /** The file to use as stdin instead of a pipe. */
  readonly stdinFrom?: 'nul' | 'closed';
  readonly args?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Ended {
  /** Undefined if it was killed. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Transport {
  readonly name: string;
  readonly windows: boolean;
  /** Why the plugin cannot be started this way here; undefined if it can. */
  readonly missing: string | undefined;
  run(start: Start): Promise<Ended>;
}

const timeoutMs = 20_000;
const plugin = resolve(import.meta.dirname, '../../build/win-hcn.cjs');

export const bundle: Transport = {
  name: 'the bundle',
  windows: false,
  missing: undefined,
  run: runBundle,
};

export const exe: Transport = {
  name: 'win-hcn.exe under Wine',
  windows: true,
  missing,
  run: async ({ environment, stdin, stdinFrom, args = [] }) => {
    if (typeof stdin === 'function') throw new Error('under Wine stdin is bytes');
    const options = { env: environment, timeoutMs, ...(stdinFrom === undefined && { stdin }) };
    return suitePrefix().run(exePath, args, options);
  },
};

function runBundle({ environment, stdin, stdinFrom, args = [], signal }: Start): Promise<Ended> {
  const command = [process.execPath, plugin, ...args];
  const [file = '', ...rest] =
    stdinFrom === 'closed' ? ['/bin/sh', '-c', 'exec "$0" "$@" <&-', ...command] : command;
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const child = spawn(file, rest, {
    env: environment,
    stdio: [stdinFrom === undefined ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => stdout.push(data));
  child.stderr?.on('data', (data: Buffer) => stderr.push(data));
  child.stdin?.on('error', () => undefined);
  child.on('error', (error) => error.name !== 'AbortError' && reject(error));
  child.on('close', (exitCode) => {
    child.stdin?.destroy();
    resolve({
      exitCode: exitCode ?? undefined,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
    });
  });
  if (typeof stdin !== 'function') child.stdin?.end(stdin);
  else if (child.stdin) stdin(child.stdin);
  return promise;
}
