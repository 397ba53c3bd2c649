import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { escapeToken } from '../../config/source-paths.ts';
import { isDeeperThan, maximumDepth } from '../../json/members.ts';

/** Line and column, both from 1. Columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A JSON text with the positions of its members, by JSON pointer. */
export interface JsonText {
  readonly value: unknown;
  /** The position of a member's value, or of its key with `isKey`; if the text lacks it, that of the nearest parent. */
  readonly positionOf: (pointer: string, isKey?: boolean) => Position;
  /** JSON pointers of keys that occur again in their object. */
  readonly duplicates: readonly string[];
}

/** Why a text is not JSON, and where. */
export interface SyntaxProblem extends Position {
  readonly text: string;
}

/** The first line and column. */
export const start: Position = { line: 1, column: 1 };

/** Reads JSON; of a text that is not JSON, the first problem. */
export function readJsonText(text: string): JsonText | { readonly problem: SyntaxProblem } {
  const errors: ParseError[] = [];
  const tooDeep = {
    problem: { ...start, text: `the JSON is nested deeper than ${maximumDepth} levels` },
  };
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    throw error;
  }
  const [error] = errors;
  if (error !== undefined) return { problem: describeError(error, text) };
  const value: unknown = JSON.parse(text);
  return root === undefined || isDeeperThan(value, maximumDepth)
    ? tooDeep
    : { value, ...positionsIn(root, text) };
}

function positionsIn(root: Node, text: string): Pick<JsonText, 'positionOf' | 'duplicates'> {
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
  const offsetOf = (pointer: string, isKey: boolean): number =>
    (isKey ? keys.get(pointer) : undefined) ??
    values.get(pointer) ??
    offsetOf(pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))), false);
  return { positionOf: (pointer, isKey = false) => positionAt(text, offsetOf(pointer, isKey)), duplicates };
}

/** The position of a character of a text. */
function positionAt(text: string, offset: number): Position {
  const before = linesOf(text.slice(0, offset));
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The lines of a text, as positions count them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Characters that only look like JSON's, and what they stand for. */
const lookalikes = [
  { pattern: /[\u201c-\u201f\u00ab\u00bb]/, text: 'is not a JSON quote: use a straight "' },
  { pattern: /[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/, text: 'is not a JSON space: use a plain space' },
];

const comment = 'JSON does not allow comments: use a key that starts with "x-"';
const unterminated = 'UnexpectedEndOfString';

/** By the parser's names of errors. */
const errorTexts: Readonly<Record<string, string>> = {
  CommaExpected: 'missing comma',
  ColonExpected: 'missing colon',
  [unterminated]: 'unterminated string: the closing quote is missing',
  InvalidCommentToken: comment,
  UnexpectedEndOfComment: comment,
  EndOfFileExpected: 'unexpected text after the end of the JSON',
  InvalidEscapeCharacter: 'invalid escape sequence: write a backslash as \\\\',
};

function describeError({ error, offset: at }: ParseError, text: string): SyntaxProblem {
  const name = printParseErrorCode(error);
  // The parser reports an unterminated string at its start.
  const offset = name === unterminated ? at + text.slice(at).search(/[\r\n]|$/) : at;
  return { ...positionAt(text, offset), text: errorText(name, offset, text) };
}

function errorText(name: string, offset: number, text: string): string {
  const found = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const known =
    errorTexts[name] ??
    (offset < text.length ? `unexpected ${JSON.stringify(found)}` : 'unexpected end of file');
  if (text.trim() === '') return 'the file is empty, expected a JSON object';
  if (name === unterminated) return known;
  const lookalike = lookalikes.find(({ pattern }) => pattern.test(found));
  if (lookalike !== undefined) {
    const number = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `U+${number} ${lookalike.text}`;
  }
  if (found === "'") return 'JSON does not allow single quotes: use double quotes';
  if (offset < text.length && found !== '}' && found !== ']') return known;
  if (text.slice(0, offset).trimEnd().endsWith(',') && offset < text.length)
    return `trailing comma before "${found}"`;
  const open = openBracket(text.slice(0, offset));
  if (open === undefined || open.closing === found) return known;
  const { line, column } = positionAt(text, open.offset);
  return `missing "${open.closing}" for the "${text[open.offset]}" at line ${line}, column ${column}`;
}

/** The last bracket or brace of a text that is not closed. */
function openBracket(text: string): { readonly offset: number; readonly closing: string } | undefined {
  const open: { readonly offset: number; readonly closing: string }[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\])*"|[{}[\]]/gs)) {
    if (token === '{') open.push({ offset: index, closing: '}' });
    else if (token === '[') open.push({ offset: index, closing: ']' });
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1);
}
