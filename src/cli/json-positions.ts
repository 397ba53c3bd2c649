import { type DocumentNode, parse } from '@humanwhocodes/momoa';
import { escapeToken } from '../config/source-paths.ts';

/** Both from 1; a column counts as editors do, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where the members of a JSON text are, by JSON pointer. */
export interface Positions {
  /** Of a member's key or of a value; undefined where there is none. */
  keyOf(pointer: string): Position | undefined;
  valueOf(pointer: string): Position | undefined;
  /** JSON pointers of keys that are in their object already. */
  readonly repeated: readonly string[];
}

/** Why a text is not JSON, and where. */
export interface SyntaxProblem extends Position {
  readonly text: string;
}

/** Reads JSON; a text that is not JSON has the first `problem`. */
export function readPositions(
  text: string,
): { readonly value: unknown; readonly positions: Positions } | { readonly problem: SyntaxProblem } {
  const document = parseDocument(text);
  if ('problem' in document) return document;
  const keys = new Map<string, Position>();
  const values = new Map<string, Position>();
  const repeated: string[] = [];
  const visit = (node: DocumentNode['body'], pointer: string): void => {
    values.set(pointer, placed(node.loc.start));
    if (node.type === 'Array') {
      for (const [index, { value }] of node.elements.entries()) visit(value, `${pointer}/${index}`);
    }
    if (node.type !== 'Object') return;
    for (const { name, value } of node.members) {
      const path = `${pointer}/${escapeToken(name.type === 'String' ? name.value : name.name)}`;
      if (keys.has(path)) repeated.push(path);
      keys.set(path, placed(name.loc.start));
      visit(value, path);
    }
  };
  visit(document.body, '');
  const positions = {
    keyOf: (pointer: string) => keys.get(pointer),
    valueOf: (pointer: string) => values.get(pointer),
    repeated,
  };
  return { value: JSON.parse(text), positions };
}

function placed({ line, column }: Position): Position {
  return { line, column };
}

/** Where a pointer leads, or the nearest place above it that is there; `ofKey` asks for its key. */
export function positionOf(positions: Positions, path: string, ofKey: boolean): Position {
  const own = (ofKey ? positions.keyOf(path) : undefined) ?? positions.valueOf(path);
  if (own !== undefined) return own;
  return path === '' ? { line: 1, column: 1 } : positionOf(positions, path.replace(/\/[^/]*$/, ''), false);
}

/** The position of a character of a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The parser knows where things are, and JSON.parse what JSON is not: line breaks in strings, for one. */
function parseDocument(text: string): DocumentNode | { readonly problem: SyntaxProblem } {
  try {
    const document = parse(text, { mode: 'json' });
    JSON.parse(text);
    return document;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const offset = offsetOf(cause) ?? Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    return { problem: { ...positionAt(text, offset), text: complaint(text, offset) } };
  }
}

function offsetOf(error: unknown): number | undefined {
  return error instanceof Error && 'offset' in error ? Number(error.offset) : undefined;
}

function complaint(text: string, offset: number): string {
  const found = text[offset];
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (text.trim() === '') return 'the file is empty, expected a JSON object';
  if (found === undefined) return 'the text ends here: a bracket, a brace or a quote is not closed';
  if (found === '/') return 'JSON has no comments: use a key that begins with "x-"';
  if ((found === '}' || found === ']') && before === ',')
    return `the comma before this "${found}" is one too many`;
  if (found === "'") return 'JSON has no single quotes: use the straight double quote';
  if (found === '"' && before !== undefined && /["\w}\]]/.test(before))
    return 'a comma or a colon is missing before this';
  if (found === '\n' || found === '\r')
    return 'a line ends within a string: the quote that closes it is missing';
  return `unexpected ${JSON.stringify(found)}`;
}
