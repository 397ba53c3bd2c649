import { decodeText, detectEncoding } from '../../cni/text.ts';
import { foldKeys, isObject } from '../../json/members.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { linesOf, type Position, type Positions, positionAt, readPositions } from './json-positions.ts';

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
  readonly positions: Positions;
  /** What prevents a runtime from reading the file. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads a configuration file. UTF-16, a byte-order mark and non-breaking spaces are problems because runtimes do not accept them, though
 * win-hcn does on stdin. The rest of a file that has them, or typographic quotes, is still read.
 */
export function readConfigFile(bytes: Uint8Array): ConfigFile {
  const text = decodeText(bytes);
  const problems = [...encodingProblems(bytes), ...characterProblems(text)];
  const read = readPositions(text.replaceAll(stringsAndLookalikes, (found) => jsonCharacter(found) ?? found));
  if ('problem' in read) {
    const source = sourceLines(text, read.problem.line);
    const problem = { ...read.problem, path: '', ...(source.length > 0 && { source }) };
    return { value: undefined, positions: nowhere, problems: [...problems, problem] };
  }
  const { value, positions } = read;
  const duplicates = positions.duplicates.map((path) => ({
    ...(positions.keyOf(path) ?? start),
    path,
    text: `${path} is duplicated: the last value is used`,
  }));
  return { value, positions, problems: [...problems, ...duplicates] };
}

/** A line and the one before; nothing of an empty text. */
function sourceLines(text: string, line: number): readonly string[] {
  return text.trim() === '' ? [] : linesOf(text).slice(Math.max(0, line - 2), line);
}

const start: Position = { line: 1, column: 1 };
const nowhere: Positions = { keyOf: () => undefined, valueOf: () => undefined, duplicates: [] };

const remedy =
  'save it as UTF-8 without a byte-order mark: [IO.File]::WriteAllText(PATH, (Get-Content -Raw PATH))';

function encodingProblems(bytes: Uint8Array): readonly Diagnostic[] {
  const problem = (what: string) => [{ ...start, path: '', text: `${what}: ${remedy}` }];
  if (detectEncoding(bytes) !== 'utf-8') return problem('the file is UTF-16, but runtimes read only UTF-8');
  const [first, second, third] = bytes;
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return marked ? problem('the file starts with a byte-order mark, which runtimes reject') : [];
}

/** Strings, so that their content is skipped, and characters between them that only look like JSON's spaces and quotes. */
const stringsAndLookalikes =
  /"[^"\\]*(?:\\.[^"\\]*)*"?|[\u00a0\u2000-\u200b\u202f\u3000\ufeff\u201c-\u201f\u00ab\u00bb]/gs;

/** The JSON character that a lookalike stands for; undefined for a string. */
function jsonCharacter(found: string): ' ' | '"' | undefined {
  if (found.startsWith('"')) return undefined;
  return /[\u201c-\u201f\u00ab\u00bb]/.test(found) ? '"' : ' ';
}

function characterProblems(text: string): readonly Diagnostic[] {
  return [...text.matchAll(stringsAndLookalikes)].flatMap(({ 0: found, index }) => {
    const meant = jsonCharacter(found);
    if (meant === undefined) return [];
    const number = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const problem =
      meant === '"'
        ? `${found} (${number}) is not a JSON quote: use a straight "`
        : `${number} is not a JSON space: use a plain space`;
    return [{ ...positionAt(text, index), path: '', text: problem }];
  });
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
