/** The values of `-o`. A table or text fits the terminal, except `wide`, which also has more columns. */
export type Format = 'table' | 'wide' | 'json';

/** An object as JSON; undefined for other formats. The version in it changes if a member changes or disappears. */
export function serialized<T extends object>(
  members: T extends readonly unknown[] ? never : T,
  format: Format | undefined,
): string | undefined {
  return format === 'json' ? JSON.stringify({ version: 1, ...members }, undefined, 2) : undefined;
}

/** Control, format, surrogate and line-separator characters: they move the cursor, break lines, restyle text or are invisible. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** The same except line feed and tab. */
const unprintableInLines = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const escapeCharacter = '\u001b';
/** The styles that `newSession` writes after an escape: bold, dim, three colors, and their ends. */
const ownStyle = /^\[(?:1|2|22|31|32|33|39)m/;

/** A text on one line, with unprintable characters as JSON escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

/** Data with all its texts printable. */
export function printableIn<T>(data: T): T;
export function printableIn(data: unknown): unknown {
  if (typeof data === 'string') return printable(data);
  if (Array.isArray(data)) return data.map((item) => printableIn(item));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [printable(key), printableIn(value)]));
}

/** Printable text of several lines; `styled` keeps our own styles. */
export function printableLines(text: string, styled: boolean): string {
  return text.replaceAll(unprintableInLines, (character: string, at: number) =>
    styled && character === escapeCharacter && ownStyle.test(text.slice(at + 1, at + 5))
      ? character
      : escaped(character),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
