import { decodeText, encodingOf } from '../cni/text.ts';
import { foldKeys, isObject } from '../json/members.ts';
import { type Position, type Positions, positionAt, readPositions } from './json-positions.ts';
import { exitCode, type Session } from './session.ts';

/** Something to say about a place of a file. */
export interface Diagnostic extends Position {
  /** A JSON pointer; empty for the file as a whole. */
  readonly path: string;
  readonly text: string;
}

/** A file of JSON as it was read; `value` is undefined where it is none. */
export interface ConfigFile {
  readonly value: unknown;
  readonly positions: Positions;
  /** What keeps a runtime from reading it. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads a configuration file. What win-hcn reads on its stdin and a runtime does not read in a file is a problem all the same:
 * UTF-16, a byte-order mark, non-breaking spaces. Of those, and of typographic quotes, the rest of the file is read nevertheless.
 */
export function readConfigFile(bytes: Uint8Array): ConfigFile {
  const text = decodeText(bytes);
  const problems = [...encodingProblems(bytes), ...characterProblems(text)];
  const read = readPositions(text.replaceAll(oddities, (found) => plain(found) ?? found));
  if ('problem' in read)
    return { value: undefined, positions: nowhere, problems: [...problems, { ...read.problem, path: '' }] };
  const { value, positions } = read;
  const twice = positions.repeated.map((path) => ({
    ...(positions.keyOf(path) ?? start),
    path,
    text: `${path} is there twice: the last one counts`,
  }));
  return { value, positions, problems: [...problems, ...twice] };
}

const start: Position = { line: 1, column: 1 };
const nowhere: Positions = { keyOf: () => undefined, valueOf: () => undefined, repeated: [] };

const remedy = 'save it as UTF-8 without a mark, with [IO.File]::WriteAllText(PATH, (Get-Content -Raw PATH))';

function encodingProblems(bytes: Uint8Array): readonly Diagnostic[] {
  const problem = (what: string) => [{ ...start, path: '', text: `${what}: ${remedy}` }];
  if (encodingOf(bytes) !== 'utf-8') return problem('the file is UTF-16, and runtimes read UTF-8 only');
  const [first, second, third] = bytes;
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return marked ? problem('the file begins with a byte-order mark, which runtimes refuse') : [];
}

/** Strings, which may hold anything, and characters between them that look like JSON's and are not. */
const oddities =
  /"[^"\\]*(?:\\.[^"\\]*)*"?|[\u00a0\u2000-\u200b\u202f\u3000\ufeff\u201c-\u201f\u00ab\u00bb]/gs;

/** What an odd character looks like; undefined for a string. */
function plain(found: string): ' ' | '"' | undefined {
  if (found.startsWith('"')) return undefined;
  return /[\u201c-\u201f\u00ab\u00bb]/.test(found) ? '"' : ' ';
}

function characterProblems(text: string): readonly Diagnostic[] {
  return [...text.matchAll(oddities)].flatMap(({ 0: found, index }) => {
    const meant = plain(found);
    if (meant === undefined) return [];
    const number = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const what =
      meant === '"' ? `a typographic quote ${found} (${number})` : `a space that is none in JSON (${number})`;
    return [
      {
        ...positionAt(text, index),
        path: '',
        text: `${what}: type ${meant === '"' ? 'a straight "' : 'a plain space'}`,
      },
    ];
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
