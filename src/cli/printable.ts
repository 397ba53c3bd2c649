/** What moves a cursor, breaks a line, changes how text is shown, or is not seen at all. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** The same but for what texts of several lines consist of. */
const unprintableInLines = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const escapeCharacter = '\u001b';
/** What `newSession` styles with, behind an escape: bold, dim, three colours, and their ends. */
const ownStyle = /^\[(?:1|2|22|31|32|33|39)m/;

/** A text in one line that does nothing to a terminal: what is unprintable is written as JSON escapes it. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

/** The same of all texts in some data, which is to be printed for people. */
export function printableIn<T>(data: T): T;
export function printableIn(data: unknown): unknown {
  if (typeof data === 'string') return printable(data);
  if (Array.isArray(data)) return data.map((item) => printableIn(item));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [printable(key), printableIn(value)]));
}

/** A text of several lines that does nothing to a terminal but what styles do, where there are any. */
export function printableLines(text: string, styled: boolean): string {
  return text.replaceAll(unprintableInLines, (character: string, at: number) =>
    styled && character === escapeCharacter && ownStyle.test(text.slice(at + 1, at + 5))
      ? character
      : escaped(character),
  );
}

/** Whether a text of several lines is printed as it is. */
export function isPrintable(text: string): boolean {
  return text.search(unprintableInLines) < 0;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
