import stringWidth from 'string-width';

/** Returns the columns that a text of one line takes. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let start = '';
  for (const character of text) {
    if (widthOf(`${start}${character}...`) > width) break;
    start += character;
  }
  return `${start}...`;
}

/** Returns the width of the longest word. */
export function longestWord(text: string): number {
  return pieces(text).reduce((most, piece) => Math.max(most, widthOf(piece.trimEnd())), 0);
}

/**
 * Breaks a line between words into lines of at most `width` columns, which `indent` begins except for the first. A longer word has a
 * line of its own.
 */
export function wrapLine(text: string, width: number, indent = ''): readonly string[] {
  const lines = [''];
  for (const piece of pieces(text)) {
    const line = `${lines.at(-1)}${piece}`;
    if (line === piece || widthOf(line.trimEnd()) <= width) lines[lines.length - 1] = line;
    else lines.push(indent + piece);
  }
  return lines.map((line) => line.trimEnd());
}

/** Breaks sentences, one per line, between words. Further lines are indented by `hanging` columns. IDs that are too wide are shortened. */
export function wrapSentences(text: string, width: number, hanging = 0): string {
  const indent = ' '.repeat(hanging);
  return text
    .split('\n')
    .flatMap((line) =>
      widthOf(line) <= width ? [line] : wrapLine(fitIds(line, width - hanging), width, indent),
    )
    .join('\n');
}

/** The words of a text, with the space or comma that ends them. */
function pieces(text: string): readonly string[] {
  return text.split(/(?<= )|(?<=,)(?! )/);
}

const guids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** A container ID alone, or at the start of an endpoint's name. */
const containers = /\b([0-9a-f]{13})[0-9a-f]{51}(?:\b|(_))/gi;

/** Shortens the IDs in a text as all commands accept them. */
export function shortIds(text: string): string {
  return text
    .replaceAll(guids, (id) => id.slice(0, 8))
    .replaceAll(containers, (_, start: string, name: string | undefined) =>
      name === undefined ? start : `${start}..._`,
    );
}

/** A line with its IDs shortened if one of its words is wider than `width`. */
export function fitIds(line: string, width: number): string {
  return longestWord(line) <= width ? line : shortIds(line);
}
