import { decodeText, detectEncoding } from '../../cni/text.ts';
import { foldKeys, isObject } from '../../json/members.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { linesOf, type Position, readJsonText, start } from './json-text.ts';

/** What a check found in a file. */
export interface Diagnostic extends Position {
  /** A JSON pointer; empty for the whole file. */
  readonly path: string;
  readonly text: string;
  /** Of a text that is not JSON: the line of the position, after the line before it. */
  readonly source?: readonly string[];
}

/** A configuration file; `value` is undefined if it is not JSON. */
export interface ConfigFile {
  readonly value: unknown;
  /** The position of a member's value, or of its key with `isKey`; if the file lacks it, that of the nearest parent. */
  readonly positionOf: (pointer: string, isKey?: boolean) => Position;
  /** What prevents a runtime from reading the file. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads a configuration file. UTF-16 and a byte-order mark are problems because runtimes do not accept them, though win-hcn does on
 * stdin. The rest of a file that has them is still read.
 */
export function readConfigFile(bytes: Uint8Array): ConfigFile {
  const text = decodeText(bytes);
  const encoding = encodingProblems(bytes);
  const read = readJsonText(text);
  if ('problem' in read) {
    const { line } = read.problem;
    const source = text.trim() === '' ? [] : linesOf(text).slice(Math.max(0, line - 2), line);
    const problem = { ...read.problem, path: '', ...(source.length > 0 && { source }) };
    return { value: undefined, positionOf: () => start, problems: [...encoding, problem] };
  }
  const { value, positionOf } = read;
  const duplicates = read.duplicates.map((path) => ({
    ...positionOf(path, true),
    path,
    text: `${path} is duplicated: the last value is used`,
  }));
  return { value, positionOf, problems: [...encoding, ...duplicates] };
}

const remedy =
  'save it as UTF-8 without a byte-order mark: [IO.File]::WriteAllText(PATH, (Get-Content -Raw PATH))';

function encodingProblems(bytes: Uint8Array): readonly Diagnostic[] {
  const problem = (what: string) => [{ ...start, path: '', text: `${what}: ${remedy}` }];
  if (detectEncoding(bytes) !== 'utf-8') return problem('the file is UTF-16, but runtimes read only UTF-8');
  const [first, second, third] = bytes;
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  return isMarked ? problem('the file starts with a byte-order mark, which runtimes reject') : [];
}

/**
 * Reads the JSON of a file; undefined if it is not JSON. Reports on stderr all problems that a runtime would have with the file, or
 * with `unreadable` only those of a file that is not JSON. Throws ReadError.
 */
export function readJsonFile(file: string, session: Session, reported: 'all' | 'unreadable'): unknown {
  const { value, problems } = readConfigFile(session.read(file));
  const shown = reported === 'all' || value === undefined ? problems : [];
  for (const { line, column, text } of shown)
    session.printStderr(`${displayName(file)}:${line}:${column}: problem: ${text}`);
  return value;
}

/** Whether a command's argument is the path of a file, not a name: it has a slash or ends like a configuration file, or is `-`. */
export function isPath(argument: string): boolean {
  return argument === '-' || /[\\/]|\.(conf|conflist|json)$/i.test(argument);
}

/** The `name` of a configuration, even if the rest is invalid; undefined, after reporting it, if absent. Sets the exit code. */
export function readConfigName(path: string, session: Session): string | undefined {
  const value = readJsonFile(path, session, 'unreadable');
  const { name } = isObject(value) ? foldKeys(value) : {};
  if (typeof name === 'string' && name !== '') return name;
  if (value !== undefined) session.printStderr(`${displayName(path)}:1:1: problem: /name is missing`);
  session.setExitCode(exitCode.problemFound);
  return undefined;
}

/** A file as messages name it. */
export function displayName(file: string): string {
  return file === '-' ? 'stdin' : file;
}

/** Sorts diagnostics by position. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
