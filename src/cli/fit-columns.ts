/** Between two columns. */
const gap = 2;
/** The longest word that is not broken. */
const longestUnbroken = 24;

/** Columns of plain text that fit a width. */
export interface Fitted {
  readonly titles: readonly string[];
  /** Cells may have line breaks. */
  readonly rows: readonly (readonly string[])[];
  /** The titles of the columns that did not fit. */
  readonly hidden: readonly string[];
}

/**
 * Fits columns into a width. `expendable` columns are hidden, the first ones first, until the others fit; columns that need more than a
 * third of the width count as prose, which can wrap. What is still too wide is wrapped. Nothing is cut.
 */
export function fitColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  expendable: readonly string[] = [],
): Fitted {
  const columns = titles.map((title, index) => columnOf(title, index, rows));
  let shown = columns;
  for (const title of expendable) {
    if (total(shown, ({ natural, least }) => Math.min(natural, Math.max(least, width / 3))) <= width) break;
    shown = shown.filter((column) => column.title !== title);
  }
  const widths = shrunk(shown, width);
  return {
    titles: shown.map(({ title }, at) => wrap(title, widths[at] ?? title.length)),
    rows: rows.map((row) =>
      shown.map(({ index }, at) => wrap(row[index] ?? '', widths[at] ?? Number.POSITIVE_INFINITY)),
    ),
    hidden: columns.flatMap((column) => (shown.includes(column) ? [] : [column.title])),
  };
}

interface Column {
  readonly title: string;
  readonly index: number;
  /** The length of the longest cell. */
  readonly natural: number;
  /** The length of the longest word. */
  readonly least: number;
}

function columnOf(title: string, index: number, rows: readonly (readonly string[])[]): Column {
  const texts = [title, ...rows.map((row) => row[index] ?? '')];
  const longest = (parts: readonly string[]) =>
    parts.reduce((most, part) => Math.max(most, part.trimEnd().length), 0);
  return {
    title,
    index,
    natural: longest(texts),
    least: Math.min(longest(texts.flatMap(pieces)), longestUnbroken),
  };
}

function total(columns: readonly Column[], widthOf: (column: Column) => number): number {
  return columns.reduce((sum, column) => sum + widthOf(column), gap * (columns.length - 1));
}

/** The columns' widths: the widest shrinks until all fit or none can shrink. */
function shrunk(columns: readonly Column[], width: number): readonly number[] {
  const widths = columns.map(({ natural }) => natural);
  let tooWide = total(columns, ({ natural }) => natural) - width;
  while (tooWide > 0) {
    const candidates = columns.map(({ least }, at) => ((widths[at] ?? 0) > least ? (widths[at] ?? 0) : 0));
    const widest = Math.max(...candidates);
    if (widest === 0) break;
    widths[candidates.indexOf(widest)] = widest - 1;
    tooWide -= 1;
  }
  return widths;
}

/** A text in lines of at most `width` characters, broken after spaces and commas if possible. */
function wrap(text: string, width: number): string {
  const lines = [''];
  for (const piece of pieces(text).flatMap((part) => broken(part, width))) {
    const line = `${lines.at(-1)}${piece}`;
    if (line.trimEnd().length <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

function pieces(text: string): readonly string[] {
  return text.split(/(?<= )|(?<=,)(?! )/);
}

function broken(piece: string, width: number): readonly string[] {
  if (piece.trimEnd().length <= width) return [piece];
  return [piece.slice(0, width), ...broken(piece.slice(width), width)];
}
