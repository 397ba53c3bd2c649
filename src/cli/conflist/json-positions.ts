import { type DocumentNode, parse } from '@humanwhocodes/momoa';
import { errorMessage } from '../../cni/error.ts';
import { escapeToken } from '../../config/source-paths.ts';

/** Line and column, both from 1. Columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The positions of the members of a JSON text, by JSON pointer. */
export interface Positions {
  /** The position of a member's key; undefined if the pointer is not to an existing member. */
  keyOf(pointer: string): Position | undefined;
  valueOf(pointer: string): Position | undefined;
  /** JSON pointers of keys that occur again in their object. */
  readonly duplicates: readonly string[];
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
  const duplicates: string[] = [];
  const visit = (node: DocumentNode['body'], pointer: string): void => {
    values.set(pointer, lineAndColumn(node.loc.start));
    if (node.type === 'Array') {
      for (const [index, { value }] of node.elements.entries()) visit(value, `${pointer}/${index}`);
    }
    if (node.type !== 'Object') return;
    for (const { name, value } of node.members) {
      const path = `${pointer}/${escapeToken(name.type === 'String' ? name.value : name.name)}`;
      if (keys.has(path)) duplicates.push(path);
      keys.set(path, lineAndColumn(name.loc.start));
      visit(value, path);
    }
  };
  visit(document.body, '');
  const positions = {
    keyOf: (pointer: string) => keys.get(pointer),
    valueOf: (pointer: string) => values.get(pointer),
    duplicates,
  };
  return { value: JSON.parse(text), positions };
}

function lineAndColumn({ line, column }: Position): Position {
  return { line, column };
}

/** The position of a pointer's value, or of its key with `ofKey`; if the file lacks it, that of the nearest parent. */
export function positionOf(positions: Positions, path: string, ofKey: boolean): Position {
  const own = (ofKey ? positions.keyOf(path) : undefined) ?? positions.valueOf(path);
  if (own !== undefined) return own;
  return path === '' ? { line: 1, column: 1 } : positionOf(positions, path.replace(/\/[^/]*$/, ''), false);
}

/** The position of a character of a text. */
export function positionAt(text: string, offset: number): Position {
  const before = linesOf(text.slice(0, offset));
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The lines of a text, as `positionAt` counts them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Parses with positions. JSON.parse also refuses what the parser accepts, such as line breaks in strings. */
function parseDocument(text: string): DocumentNode | { readonly problem: SyntaxProblem } {
  try {
    const document = parse(text, { mode: 'json' });
    JSON.parse(text);
    return document;
  } catch (cause) {
    const reason = errorMessage(cause);
    const offset = offsetOf(cause) ?? Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    return { problem: { ...positionAt(text, offset), text: syntaxProblem(text, offset) } };
  }
}

function offsetOf(error: unknown): number | undefined {
  return error instanceof Error && 'offset' in error ? Number(error.offset) : undefined;
}

function syntaxProblem(text: string, offset: number): string {
  const found = text[offset];
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (text.trim() === '') return 'the file is empty, expected a JSON object';
  if (found === undefined) return 'unexpected end of file: a bracket, brace or quote is not closed';
  if (found === '/') return 'JSON does not allow comments: use a key that starts with "x-"';
  if ((found === '}' || found === ']') && before === ',') return `trailing comma before "${found}"`;
  if (found === "'") return 'JSON does not allow single quotes: use double quotes';
  if (found === '"' && before !== undefined && /["\w}\]]/.test(before)) return 'missing comma or colon';
  if (found === '\n' || found === '\r') return 'unterminated string: the closing quote is missing';
  return `unexpected ${JSON.stringify(found)}`;
}
