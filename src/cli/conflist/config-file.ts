import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { decodeText, detectEncoding } from '../../cni/text.ts';
import { escapeToken } from '../../config/source-paths.ts';
import { foldKeys, isDeeperThan, isObject, maximumDepth } from '../../json/members.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';

/** Line and column, both from 1. Columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What a check found in a file. */
export interface Diagnostic extends Position {
  /** A JSON pointer; empty for the whole file. */
  readonly path: string;
  readonly text: string;
}

/** A configuration file; `value` is undefined if it is not JSON. */
export interface ConfigFile {
  readonly value: unknown;
  /** The position of a member's value, or of its key with `isKey`; if the file lacks it, that of the nearest parent. */
  readonly positionOf: (pointer: string, isKey?: boolean) => Position;
  /** What prevents a runtime from reading the file. */
  readonly problems: readonly Diagnostic[];
}

/** The first line and column. */
const start: Position = { line: 1, column: 1 };

/**
 * Reads a configuration file. UTF-16 and a byte-order mark are problems because runtimes do not accept them, though win-hcn does on
 * stdin. The rest of a file that has them is still read.
 */
export function readConfigFile(bytes: Uint8Array): ConfigFile {
  const text = decodeText(bytes);
  const encoding = encodingProblems(bytes);
  const refuse = (problem: string, position = start): ConfigFile => ({
    value: undefined,
    positionOf: () => start,
    problems: [...encoding, { ...position, path: '', text: problem }],
  });
  const errors: ParseError[] = [];
  const root = parseUnlessDeep(text, errors);
  const [error] = errors;
  if (error !== undefined) return refuse(errorText(error, text), positionAt(text, error.offset));
  const value: unknown = root && JSON.parse(text);
  if (root === undefined || isDeeperThan(value, maximumDepth))
    return refuse(`the JSON is nested deeper than ${maximumDepth} levels`);
  const { keys, values, duplicates } = offsetsIn(root);
  const offsetOf = (pointer: string, isKey: boolean): number =>
    (isKey ? keys.get(pointer) : undefined) ??
    values.get(pointer) ??
    offsetOf(pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))), false);
  const positionOf = (pointer: string, isKey = false) => positionAt(text, offsetOf(pointer, isKey));
  const repeated = duplicates.map((path) => ({
    ...positionOf(path, true),
    path,
    text: `${path} is duplicated: the last value is used`,
  }));
  return { value, positionOf, problems: [...encoding, ...repeated] };
}

/** The PowerShell command that saves a file with a byte-order mark as UTF-8 without one. */
export function saveAsUtf8(path: string): string {
  return `[IO.File]::WriteAllText(${path}, (Get-Content -Raw ${path}))`;
}

function encodingProblems(bytes: Uint8Array): readonly Diagnostic[] {
  const [first = 0, second, third] = bytes;
  const isMarked = first >= 0xfe || (first === 0xef && second === 0xbb && third === 0xbf);
  const command = isMarked ? `: ${saveAsUtf8('PATH')}` : '';
  const remedy = `save it as UTF-8 without a byte-order mark${command}`;
  const problem = (what: string) => [{ ...start, path: '', text: `${what}: ${remedy}` }];
  if (detectEncoding(bytes) !== 'utf-8') return problem('the file is UTF-16, but runtimes read only UTF-8');
  return isMarked ? problem('the file starts with a byte-order mark, which runtimes reject') : [];
}

/** Undefined without an error if the JSON is nested too deep for the parser. */
function parseUnlessDeep(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    errors.length = 0;
    return undefined;
  }
}

/** The offsets of keys and values by JSON pointer, and the pointers of keys that occur again in their object. */
function offsetsIn(root: Node) {
  const keys = new Map<string, number>();
  const values = new Map<string, number>();
  const duplicates: string[] = [];
  const visit = (node: Node, pointer: string): void => {
    values.set(pointer, node.offset);
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = child.children ?? [];
      if (node.type === 'array') visit(child, `${pointer}/${index}`);
      else if (key !== undefined && value !== undefined) {
        const path = `${pointer}/${escapeToken(String(key.value))}`;
        if (keys.has(path)) duplicates.push(path);
        keys.set(path, key.offset);
        visit(value, path);
      }
    }
  };
  visit(root, '');
  return { keys, values, duplicates };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns the name that the parser has for an error, in words, and what to write instead of the usual mistakes. */
function errorText({ error, offset }: ParseError, text: string): string {
  if (text.trim() === '') return 'the file is empty, expected a JSON object';
  const name = printParseErrorCode(error);
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const hints: Readonly<Record<string, string>> = {
    InvalidCommentToken: ': use a key that starts with "x-" for a comment',
    InvalidEscapeCharacter: ': write a backslash as \\\\',
  };
  const character = text.slice(offset, offset + 1);
  const found = JSON.stringify(character || 'end of file');
  // A closing bracket of the other kind.
  const opened = name === 'CommaExpected' ? { '}': ']', ']': '}' }[character] : undefined;
  if (opened !== undefined) return `invalid JSON at ${found}: "${opened}" is missing before it`;
  return `invalid JSON at ${found}: ${words.toLowerCase()}${hints[name] ?? ''}`;
}

/**
 * Reads the JSON of a file; undefined, with the exit code set, if it is not JSON. Reports on stderr all problems that a runtime would have
 * with the file, or with `unreadable` only those of a file that is not JSON. Throws ReadError.
 */
export function readJsonFile(file: string, session: Session, reported: 'all' | 'unreadable'): unknown {
  const { value, problems } = readConfigFile(session.read(file));
  const shown = reported === 'all' || value === undefined ? problems : [];
  if (value === undefined) session.setExitCode(exitCode.problemFound);
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
  return file === '-' ? 'stdin' : printable(file);
}

/** Sorts diagnostics by position. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
