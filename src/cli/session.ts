import { stripVTControlCharacters, styleText } from 'node:util';
import { CniError, code } from '../cni/error.ts';
import type { System } from '../system.ts';
import { printableLines } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** What every command ends with: a promise to scripts. */
export const exitCode = { success: 0, problemFound: 1, wrongUsage: 2, hnsUnavailable: 3 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** One run of the command line. */
export interface Session {
  readonly system: System;
  readonly terminal: Terminal;
  /** Columns to wrap at; Infinity where stdout is no terminal. */
  readonly width: number;
  /** Whether what is printed may have colors. */
  readonly colors: boolean;
  /** A line, or several, on stdout; what would do more to a terminal than our styles do is escaped. Throws OutputError. */
  print(text: string): void;
  /** The same in the place of all that is on the terminal. */
  redraw(text: string): void;
  /** On stderr, without styles where that is no terminal: what is not the answer itself. */
  printStderr(text: string): void;
  /** Each line by itself, so that a table can set lines beside one another. */
  style(style: Style, text: string): string;
  /** A file's bytes; `-` is stdin. Throws ReadError. */
  read(path: string): Uint8Array;
  /** Says how the command ends, which is fine otherwise. */
  setExitCode(code: ExitCode): void;
}

/** The command is told of a file that cannot be read. */
export class ReadError extends CniError {
  override readonly name = 'ReadError';

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(code.ioFailure, `cannot read ${path}: ${reason}`, { cause });
  }
}

/** Nobody takes what is printed. `expected`: whoever read it has seen enough, as `head` does. */
export class OutputError extends CniError {
  override readonly name = 'OutputError';
  readonly expected: boolean;

  constructor(cause: unknown) {
    super(code.ioFailure, `cannot print: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.expected = cause instanceof Error && 'code' in cause && cause.code === 'EPIPE';
  }
}

/** Cursor to the corner, and away with all that is on the screen. https://learn.microsoft.com/windows/console/console-virtual-terminal-sequences */
const clearScreen = '\u001b[H\u001b[2J';

/** `end` is called with the last thing a command says of its end. */
export function newSession(system: System, terminal: Terminal, setExitCode: Session['setExitCode']): Session {
  const { width, stderrWidth } = terminal;
  const colors = width !== undefined && !system.environment['NO_COLOR'];
  const lines = (text: string) => `${printableLines(text, colors)}\n`;
  const write = (text: string) => {
    try {
      system.writeStdout(text);
    } catch (cause) {
      throw new OutputError(cause);
    }
  };
  return {
    system,
    terminal,
    width: width ?? Number.POSITIVE_INFINITY,
    colors,
    print: (text) => write(lines(text)),
    redraw: (text) => write(`${clearScreen}${lines(text)}`),
    printStderr: (text) =>
      system.writeStderr(stderrWidth === undefined ? stripVTControlCharacters(lines(text)) : lines(text)),
    style: (style, text) =>
      colors ? text.replaceAll(/.+/g, (line) => styleText(style, line, { validateStream: false })) : text,
    read: (path) => {
      try {
        return path === '-' ? system.readStdin() : terminal.readFile(path);
      } catch (cause) {
        throw new ReadError(path === '-' ? 'stdin' : path, cause);
      }
    },
    setExitCode,
  };
}

/** The same session where nothing has to fit a terminal. */
export function unbounded(session: Session): Session {
  return { ...session, width: Number.POSITIVE_INFINITY };
}

/** The same session where there is no terminal: nothing has to fit, and nothing has a colour. */
export function plain(session: Session): Session {
  return { ...unbounded(session), colors: false, style: (_style, text) => text };
}
