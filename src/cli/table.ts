import CliTable from 'cli-table3';
import { Help } from 'commander';
import stringWidth from 'string-width';
import type { Session } from './session.ts';

const gap = 2;
/** The library's time grows with the square of the rows it draws at once. */
const rowsAtOnce = 50;

/** A header and rows in columns without borders, each as wide as its longest cell. Cells may have styles and line breaks. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { style }: Pick<Session, 'style'>,
): string {
  const cells = [head.map((title) => style('bold', title)), ...rows];
  const widths = head.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0),
  );
  const blocks = cells.flatMap((_, index) =>
    index % rowsAtOnce === 0 ? [drawn(cells.slice(index, index + rowsAtOnce), widths)] : [],
  );
  return blocks.join('\n');
}

function drawn(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const block = new CliTable({
    chars: Object.fromEntries(edges.map((edge) => [edge, ''])),
    colWidths: widths.map((width) => width + gap),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
  });
  block.push(...rows.map((row) => [...row]));
  return block
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const sides = ['top', 'bottom', 'mid', 'left', 'right'];
const edges = ['middle', ...sides.flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])];

function widthOf(cell: string): number {
  return Math.max(...cell.split('\n').map((line) => stringWidth(line)));
}

/** The cells of these columns that indicate no problem. */
const healthy: Readonly<Record<string, string>> = { leftover: '-', health: 'ok', ready: 'yes' };

/**
 * A table of rows that are records of cells by column title. Problems are yellow. A narrow terminal gets it without `expendable` columns
 * (the first ones first), which a line below names; a column with a problem is never hidden.
 */
export function rowsTable(
  rows: readonly Readonly<Record<string, string>>[],
  session: Session,
  expendable: readonly string[] = [],
): string {
  const isProblem = (title: string, cell: string | undefined) => (healthy[title] ?? cell) !== cell;
  const titles = Object.keys(rows[0] ?? {});
  const hideable = expendable.filter((title) => rows.every((row) => !isProblem(title, row[title])));
  const cells = rows.map((row) => Object.values(row));
  const { hidden, ...fitted } = fitColumns(titles, cells, session.width, hideable);
  const shown = titles.filter((title) => !hidden.includes(title));
  const styled = fitted.rows.map((row, index) =>
    row.map((cell, at) => {
      const title = shown[at] ?? '';
      return isProblem(title, rows[index]?.[title]) ? session.style('yellow', cell) : cell;
    }),
  );
  const text = table(fitted.titles, styled, session);
  if (hidden.length === 0) return text;
  return `${text}\n${session.style('dim', `hidden columns: ${hidden.join(', ')} (show all: -o wide)`)}`;
}

/** An indented list of named texts, each wrapped beside its name. Undefined and empty texts are omitted. */
export function definitionList(texts: Readonly<Record<string, string | undefined>>, width: number): string {
  const helper = new Help();
  helper.prepareContext({ helpWidth: width });
  const present = Object.entries(texts).filter(([, text]) => text);
  const longest = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, text]) => helper.formatItem(name, longest, text ?? '', helper)).join('\n');
}

/** The longest word that is not broken. */
const longestUnbroken = 24;

/** Columns of plain text that fit a width. */
interface Fitted {
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
