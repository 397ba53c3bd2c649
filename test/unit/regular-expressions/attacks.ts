import type { Expression } from './find-expressions.ts';

/** A text of any length: the start once, the middle as often as it fits, the end once. */
export interface Attack {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

const usual = ['a', 'A', '0', ' ', '\t', '\n', '\r', '-', '.', '_', '/', '\\', '"', "'", ':', '\0', '\u2028'];

/** Texts that slow down backtracking: repetitions of a usual character, of a word of the expression, or of both. Empty without a quantifier. */
export function attacksOn({ source }: Pick<Expression, 'source' | 'flags'>): readonly Attack[] {
  if (!/[*+]|,\}|\{\d{4,}/.test(source)) return [];
  const words = source.match(/\w+|[^\w\s]/g) ?? [];
  const plain = [...new Set([...words, words.join('')])];
  const middles = new Set([
    ...usual,
    ...plain,
    ...plain.flatMap((word) => [`${word} `, `${word}a`, `${word}0`]),
  ]);
  return [...middles].flatMap((middle) =>
    ['', ...plain.slice(0, 2)].flatMap((start) => ['', '\0', '\n\0'].map((end) => ({ start, middle, end }))),
  );
}

/** Returns an attack as a text of about this length. */
export function textOf({ start, middle, end }: Attack, length: number): string {
  const text = start + middle.repeat(Math.max(1, Math.ceil(length / middle.length))) + end;
  // A concatenation is a tree in memory until something reads it, which would count as time of the expression.
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
