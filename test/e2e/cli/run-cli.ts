import { commandLine } from '../../../src/cli/main.ts';
import type { ScriptResult } from '../../../src/cli/powershell.ts';
import { type System, system } from '../../../src/system.ts';

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files it made, where it made any. */
  readonly written?: Readonly<Record<string, Uint8Array>>;
}

export interface CliEnvironment {
  /** What is outside, where the command asks for more than files and stdin. */
  readonly system?: Partial<System>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Instead of a file system that takes every file. */
  readonly writeFile?: (path: string, bytes: Uint8Array) => void;
  /** Instead of a file system that takes every file for a moment. */
  readonly checkCreatable?: (path: string) => void;
  /** What a PowerShell script prints; without it there is no PowerShell. */
  readonly powershell?: (script: string) => ScriptResult | Promise<ScriptResult>;
  /** What happens in each pause of what is watched; then comes Ctrl+C. */
  readonly pauses?: readonly (() => unknown)[];
  readonly stdin?: string;
  /** Of a terminal; without it stdout is a pipe. */
  readonly width?: number;
  /** The same of stderr. */
  readonly stderrWidth?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Is told all that is printed, on stdout and on stderr, in its order. */
  readonly listener?: (text: string) => void;
}

/** What a command gets that needs a new GUID. */
export const newGuid = '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';

/** Runs one command line in this process, as a person would. */
export async function runCli(
  words: readonly string[],
  {
    system: outside,
    files = {},
    writeFile,
    checkCreatable = () => {},
    powershell,
    pauses = [],
    stdin = '',
    width,
    stderrWidth,
    environment = {},
    listener,
  }: CliEnvironment = {},
): Promise<Printed> {
  let stdout = '';
  let stderr = '';
  const given: System = {
    ...system,
    environment,
    executable: 'C:\\opt\\cni\\bin\\win-hcn.exe',
    readStdin: () => new TextEncoder().encode(stdin),
    writeStdout: (text) => {
      stdout += text;
      listener?.(text);
    },
    ...outside,
    writeStderr: (text) => {
      stderr += text;
      listener?.(text);
    },
  };
  const readFile = (path: string): Uint8Array => {
    const text = files[path];
    if (text === undefined) throw absent(`open '${path}'`);
    return typeof text === 'string' ? new TextEncoder().encode(text) : text;
  };
  const interrupt = new AbortController();
  const coming = [...pauses];
  const written: Record<string, Uint8Array> = {};
  const exitCode = await commandLine(words, given, {
    width,
    stderrWidth,
    readFile,
    listFolder: (path) => namesIn(path, Object.keys(files)),
    writeFile:
      writeFile ??
      ((path, bytes) => {
        written[path] = bytes;
      }),
    checkCreatable,
    powershell: async (script) => powershell?.(script) ?? { problem: 'cannot run PowerShell: ENOENT' },
    interrupt: () => interrupt.signal,
    pause: async () => {
      const next = coming.shift();
      if (next === undefined) interrupt.abort();
      else await next();
    },
    newGuid: () => newGuid,
  });
  return { exitCode, stdout, stderr, ...(Object.keys(written).length > 0 && { written }) };
}

/** The names in a folder of the files given, which are separated by either slash; the current folder is always there. */
function namesIn(folder: string, paths: readonly string[]): readonly string[] {
  const inside = paths.flatMap((path) => {
    const [, rest] = path.startsWith(folder) ? (/^[\\/](.+)$/.exec(path.slice(folder.length)) ?? []) : [];
    return rest === undefined ? [] : rest.split(/[\\/]/, 1);
  });
  if (inside.length > 0 || folder === '.') return [...new Set(inside)];
  throw absent(`scandir '${folder}'`);
}

/** As node:fs throws it. */
function absent(call: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, ${call}`), { code: 'ENOENT' });
}

/** What a command prints, as lines, when it prints nothing else and is fine. */
export function success(...lines: readonly string[]): Printed {
  return { exitCode: 0, stdout: `${lines.join('\n')}\n`, stderr: '' };
}

/** What a command prints, as lines, when it only says what is wrong. */
export function failure(exitCode: number, ...lines: readonly string[]): Printed {
  return { exitCode, stdout: '', stderr: `${lines.join('\n')}\n` };
}
