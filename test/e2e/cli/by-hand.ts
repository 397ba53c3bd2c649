import { commandLine } from '../../../src/cli/main.ts';
import { type System, system } from '../../../src/system.ts';

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** What is outside, where the command asks for more than files and stdin. */
  readonly system?: Partial<System>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  /** Of a terminal; without it stdout is a pipe. */
  readonly width?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command line in this process, as a person would. */
export async function byHand(
  words: readonly string[],
  { system: outside, files = {}, stdin = '', width, environment = {} }: Surroundings = {},
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
  const exitCode = await commandLine(words, given, { width, readFile });
  return { exitCode, stdout, stderr };
}

/** What a command prints, as lines, when it prints nothing else and is fine. */
export function fine(...lines: readonly string[]): Printed {
  return { exitCode: 0, stdout: `${lines.join('\n')}\n`, stderr: '' };
}
