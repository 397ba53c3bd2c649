import { stripVTControlCharacters, styleText } from 'node:util';
import { CniError, code, errorCode, errorMessage, shortMessage, toCniError } from '../../cni/error.ts';
import { maximumBytes } from '../../cni/text.ts';
import { HcnError, HcnTimeout, HcnUnavailable } from '../../hcn/errors.ts';
import type { System } from '../../system.ts';
import { observeCalls } from './calls.ts';
import { fileProblem } from './files.ts';
import { type Format, printable, printableLines } from './output.ts';
import type { Terminal } from './terminal.ts';
import { wrapSentences } from './wrap.ts';

/** The exit codes of every command. Scripts rely on them. */
export const exitCode = { success: 0, problemFound: 1, wrongUsage: 2, hnsUnavailable: 3 } as const;
/** One of the exit codes. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A style of text on a terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** What a command gets: the node, the terminal, and its output. */
export interface Session {
  readonly system: System;
  readonly terminal: Terminal;
  /** The columns to wrap at; Infinity if stdout is not a terminal. */
  readonly width: number;
  /** Prints one or more lines to stdout, with control characters other than our styles escaped. Throws OutputError. */
  print(text: string): void;
  /** Prints lines to stderr, for everything but the result. Wrapped between words on a terminal; otherwise without styles. */
  printStderr(text: string): void;
  /** Styles each line separately, so that tables can put lines side by side. */
  style(style: Style, text: string): string;
  /** Reads a file of at most `most` bytes; `-` is stdin. Default: `maximumBytes`, as for the plugin's stdin. Throws ReadError. */
  read(path: string, most?: number): Uint8Array;
  /** Sets the exit code. Default: success. */
  setExitCode(code: ExitCode): void;
}

/** A file named on the command line cannot be read. */
class ReadError extends CniError {
  override readonly name = 'ReadError';

  constructor(message: string, cause: unknown) {
    super(code.ioFailure, message, { cause });
  }
}

/** An error of the command line, for exit code 2. */
export function wrongUsage(problem: string): CniError {
  return new CniError(code.invalidEnvironment, problem);
}

/** Writing to stdout failed. `expected`: the reader closed the pipe, as `head` does; Windows has two codes for it. */
export class OutputError extends CniError {
  override readonly name = 'OutputError';
  readonly expected: boolean;

  constructor(cause: unknown) {
    super(code.ioFailure, `cannot print: ${fileProblem(cause)}`, { cause });
    this.expected = ['EPIPE', 'EOF'].some((one) => one === errorCode(cause));
  }
}

/** `setExitCode` receives each exit code that the command sets; the last one counts. */
export function newSession(
  system: System,
  outerTerminal: Terminal,
  setExitCode: Session['setExitCode'],
): Session {
  const { width, stderrWidth } = outerTerminal;
  const colors = width !== undefined && !system.environment['NO_COLOR'];
  const lines = (text: string) => `${printableLines(text, colors)}\n`;
  const printStderr = (long: string) => {
    const text = long
      .split('\n')
      .map((line) => shortMessage(line))
      .join('\n');
    system.writeStderr(
      stderrWidth === undefined
        ? stripVTControlCharacters(lines(text))
        : lines(wrapSentences(text, stderrWidth)),
    );
  };
  const observed = observeCalls(system, outerTerminal, printStderr);
  const { terminal } = observed;
  return {
    ...observed,
    width: width ?? Number.POSITIVE_INFINITY,
    print: (text) => {
      try {
        system.writeStdout(lines(text));
      } catch (cause) {
        throw new OutputError(cause);
      }
    },
    printStderr,
    style: (style, text) =>
      colors ? text.replaceAll(/.+/g, (line) => styleText(style, line, { validateStream: false })) : text,
    read: (path, most = maximumBytes) => {
      try {
        return path === '-' ? system.readStdin(most) : terminal.readFile(path, most);
      } catch (cause) {
        throw new ReadError(
          path === '-' ? `cannot read stdin: ${fileProblem(cause)}` : errorMessage(cause),
          cause,
        );
      }
    },
    setExitCode,
  };
}

/** The session for a table on stderr, which can be a terminal if stdout is not. */
export function onStderr(session: Session): Session {
  return { ...session, width: session.terminal.stderrWidth ?? Number.POSITIVE_INFINITY };
}

/** The session for text in a format: `wide` has unlimited width. */
export function sessionFor(session: Session, output: Format | undefined): Session {
  return output === 'wide' ? { ...session, width: Number.POSITIVE_INFINITY } : session;
}

/** The same session with unlimited width and without colors. */
export function plain(session: Session): Session {
  return { ...sessionFor(session, 'wide'), style: (_style, text) => text };
}

/** The message of a failed command for people, with details on further lines; with `verbose`, also the JSON that HNS returned. */
export function failureMessage(error: unknown, verbose: boolean): string {
  const { message, details } = toCniError(error);
  const records = verbose ? errorRecordsOf(error).map((json) => `HNS error record: ${json}`) : [];
  return [printable(message), ...(details === '' ? [] : [details]), ...records].join('\n');
}

/** The error records of an error and its causes. */
function errorRecordsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const own = error instanceof HcnError && error.errorRecord !== '' ? [error.errorRecord] : [];
  return [...own, ...errorRecordsOf(error.cause)];
}

/** The exit code of a command that failed with this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ReadError) return exitCode.wrongUsage;
  if (toCniError(error).code === code.invalidEnvironment) return exitCode.wrongUsage;
  return isHnsUnavailable(error) ? exitCode.hnsUnavailable : exitCode.problemFound;
}

/** Whether an error or its cause means that the Host Network Service does not respond or is not installed. */
export function isHnsUnavailable(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) =>
      one instanceof HcnUnavailable ||
      one instanceof HcnTimeout ||
      (one instanceof HcnError && one.unavailable),
  );
}
