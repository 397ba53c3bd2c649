import { commandLine } from '../../../src/cli/main.ts';
import type { PktmonResult, ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import { type System, system } from '../../../src/system.ts';

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files that it wrote, if any. */
  readonly written?: Readonly<Record<string, Uint8Array>>;
}

export interface CliEnvironment {
  /** Overrides of the system. */
  readonly system?: Partial<System>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** When files were last written; by default at the start of 2026. */
  readonly modified?: Readonly<Record<string, Date>>;
  /** Default: every file can be written. */
  readonly writeFile?: (path: string, bytes: Uint8Array) => void;
  /** Default: every file can be created. */
  /** The result of a PowerShell script; by default PowerShell is not installed. */
  readonly powershell?: (script: string) => ScriptResult | Promise<ScriptResult>;
  /** The result of pktmon.exe; by default it is not installed. */
  readonly pktmon?: (args: readonly string[], seconds: number) => PktmonResult | Promise<PktmonResult>;
  /** Removes a file; by default nothing happens. */
  readonly removeFile?: (path: string) => void;
  /** Receives what Ctrl+C calls during a command that handles it. */
  readonly onInterrupt?: (handle: () => void) => void;
  /** Default: `WIN1`. */
  readonly hostName?: string;
  /** Pressing Ctrl+C. */
  readonly signal?: AbortSignal;
  /** What happens in each pause of --watch; Ctrl+C follows. */
  readonly pauses?: readonly (() => unknown)[];
  readonly stdin?: string;
  /** The columns of the terminal; by default stdout is a pipe. */
  readonly width?: number;
  /** The same width for stderr. */
  readonly stderrWidth?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Receives all output, of stdout and stderr, in order. */
  readonly listener?: (text: string, stream: 'stdout' | 'stderr') => void;
}

/** The GUID that commands get from `newGuid`. */
export const newGuid = '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';

/** Runs one command line in this process. */
export async function runCli(
  words: readonly string[],
  {
    system: outside,
    files = {},
    modified = {},
    writeFile,
    powershell,
    pktmon,
    removeFile = () => {},
    onInterrupt,
    hostName = 'WIN1',
    signal,
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
      listener?.(text, 'stdout');
    },
    ...outside,
    writeStderr: (text) => {
      stderr += text;
      listener?.(text, 'stderr');
    },
  };
  const readFile = (path: string): Uint8Array => {
    const text = files[path];
    if (text === undefined) throw missing(`open '${path}'`);
    return typeof text === 'string' ? new TextEncoder().encode(text) : text;
  };
  const interrupt = new AbortController();
  const coming = [...pauses];
  const written: Record<string, Uint8Array> = {};
  const exitCode = await commandLine(words, given, {
    width,
    stderrWidth,
    readFile,
    readEnd: (path, most) => {
      try {
        const file = readFile(path);
        const bytes = file.slice(-most);
        return { bytes, size: file.length, modified: modified[path] ?? new Date('2026-01-01T00:00:00.000Z') };
      } catch {
        return undefined;
      }
    },
    listFolder: (path) => namesIn(path, Object.keys(files)),
    writeFile:
      writeFile ??
      ((path, bytes) => {
        written[path] = bytes;
      }),
    removeFile,
    powershell: async (script) => powershell?.(script) ?? { problem: 'cannot run PowerShell: ENOENT' },
    pktmon: async (args, seconds) =>
      pktmon?.(args, seconds) ?? {
        problem: 'C:\\Windows\\System32\\pktmon.exe does not exist',
      },
    interrupt: () => signal ?? interrupt.signal,
    onInterrupt: (handle) => {
      onInterrupt?.(handle);
      return () => undefined;
    },
    endInterrupted: () => undefined,
    pause: async () => {
      const next = coming.shift();
      if (next === undefined) interrupt.abort();
      else await next();
    },
    hostName: () => hostName,
    newGuid: () => newGuid,
  });
  return { exitCode, stdout, stderr, ...(Object.keys(written).length > 0 && { written }) };
}

/** The names in a folder of the files. Both slashes separate; the current folder always exists. */
function namesIn(folder: string, paths: readonly string[]): readonly string[] {
  const inside = paths.flatMap((path) => {
    const [, rest] = path.startsWith(folder) ? (/^[\\/](.+)$/.exec(path.slice(folder.length)) ?? []) : [];
    return rest === undefined ? [] : rest.split(/[\\/]/, 1);
  });
  if (inside.length > 0 || folder === '.') return [...new Set(inside)];
  throw missing(`scandir '${folder}'`);
}

function missing(call: string): Error {
  return fileError('ENOENT', call);
}

/** An error of node:fs. */
export function fileError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: the text of the operating system, ${call}`), { code });
}

/** Success with these lines on stdout. */
export function success(...lines: readonly string[]): Printed {
  return { exitCode: 0, stdout: `${lines.join('\n')}\n`, stderr: '' };
}

/** Exit code 1 with these lines on stdout, such as leftovers or differences. */
export function problem(...lines: readonly string[]): Printed {
  return { ...success(...lines), exitCode: 1 };
}

/** Failure with these lines on stderr. */
export function failure(exitCode: number, ...lines: readonly string[]): Printed {
  return { exitCode, stdout: '', stderr: `${lines.join('\n')}\n` };
}
