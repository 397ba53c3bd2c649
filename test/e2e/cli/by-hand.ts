import { commandLine } from '../../../src/cli/main.ts';
import type { ScriptEnd } from '../../../src/cli/powershell.ts';
import { type System, system } from '../../../src/system.ts';

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files it made, where it made any. */
  readonly written?: Readonly<Record<string, Uint8Array>>;
}

export interface Surroundings {
  /** What is outside, where the command asks for more than files and stdin. */
  readonly system?: Partial<System>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Instead of a file system that takes every file. */
  readonly writeFile?: (path: string, bytes: Uint8Array) => void;
  /** What a PowerShell script prints; without it there is no PowerShell. */
  readonly powershell?: (script: string) => ScriptEnd | Promise<ScriptEnd>;
  readonly stdin?: string;
  /** Of a terminal; without it stdout is a pipe. */
  readonly width?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command line in this process, as a person would. */
export async function byHand(
  words: readonly string[],
  {
    system: outside,
    files = {},
    writeFile,
    powershell,
    stdin = '',
    width,
    environment = {},
  }: Surroundings = {},
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
    },
    ...outside,
    writeStderr: (text) => {
      stderr += text;
    },
  };
  const readFile = (path: string): Uint8Array => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    return typeof text === 'string' ? new TextEncoder().encode(text) : text;
  };
  const written: Record<string, Uint8Array> = {};
  const exitCode = await commandLine(words, given, {
    width,
    readFile,
    listFolder: (path) => namesIn(path, Object.keys(files)),
    writeFile:
      writeFile ??
      ((path, bytes) => {
        written[path] = bytes;
      }),
    powershell: async (script) => powershell?.(script) ?? { problem: 'PowerShell cannot be run: ENOENT' },
  });
  return { exitCode, stdout, stderr, ...(Object.keys(written).length > 0 && { written }) };
}

/** The names in a folder of the files given, which are separated by either slash. */
function namesIn(folder: string, paths: readonly string[]): readonly string[] {
  const inside = paths.flatMap((path) => {
    const [, rest] = path.startsWith(folder) ? (/^[\\/](.+)$/.exec(path.slice(folder.length)) ?? []) : [];
    return rest === undefined ? [] : rest.split(/[\\/]/, 1);
  });
  if (inside.length > 0) return [...new Set(inside)];
  throw new Error(`ENOENT: no such file or directory, scandir '${folder}'`);
}

/** What a command prints, as lines, when it prints nothing else and is fine. */
export function fine(...lines: readonly string[]): Printed {
  return { exitCode: 0, stdout: `${lines.join('\n')}\n`, stderr: '' };
}
