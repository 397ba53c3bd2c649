import { importanceOf, type Kind, kindOf } from './column-rules.ts';
import { idShortener, longestWord, widthOf, wrapLine } from './wrap.ts';

/** The number of spaces between two columns. */
export const gap = 2;

/** Columns of plain text that fit a width. */
export interface Fitted {
  readonly titles: readonly string[];
  /** Cells of prose may have line breaks. */
  readonly rows: readonly (readonly string[])[];
  /** The given columns that are shown, by index. */
  readonly shown: readonly number[];
  /** The titles of the others. */
  readonly hidden: readonly string[];
  /** The titles of the columns with shortened cells. */
  readonly shortened: readonly string[];
}

/**
 * Fits a table into a width, in this order: IDs are shortened, columns are hidden (`importanceOf`), lists are shortened, and prose is wrapped
 * between words. Words that are still too wide are cut. `prose` are further columns of prose.
 */
export function fitColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  prose: readonly string[] = [],
): Fitted {
  const kind = (title: string) => (prose.includes(title) ? 'prose' : kindOf(title));
  const given = titles.map((title, at) => columnOf(title, at, rows, kind(title), width));
  if (total(given, ({ natural }) => natural) <= width)
    return { titles, rows, shown: titles.map((_, at) => at), hidden: [], shortened: [] };
  const short = idShortener([...titles, ...rows.flat()]);
  const shortTitles = titles.map(short);
  const shortRows = rows.map((cells) => cells.map(short));
  const columns = titles.map((title, at) =>
    columnOf(shortTitles[at] ?? title, at, shortRows, kind(title), width),
  );
  const shown = shownColumns(columns, shortRows, width);
  const widths = shrunk(shown, width);
  const fitted = shortRows.map((cells) =>
    shown.map((column, at) => fitCell(cells[column.index] ?? '', widths[at] ?? 0, column.kind)),
  );
  return {
    titles: shown.map(({ title }, at) => fitCell(title, widths[at] ?? 0, 'whole').text),
    rows: fitted.map((cells) => cells.map(({ text }) => text)),
    shown: shown.map(({ index }) => index),
    hidden: columns.flatMap((column) => (shown.includes(column) ? [] : [column.title])),
    shortened: shown.flatMap(({ title }, at) =>
      fitted.some((cells) => cells[at]?.isShortened) ? [title] : [],
    ),
  };
}

interface Column {
  readonly title: string;
  readonly index: number;
  readonly kind: Kind;
  /** The width of the widest cell. */
  readonly natural: number;
  /** The least width, which it gets so that other columns can be shown. */
  readonly wanted: number;
  /** The width of the longest word, or of a list's first item and the number of others. */
  readonly least: number;
}

function columnOf(
  title: string,
  index: number,
  rows: readonly (readonly string[])[],
  kind: Kind,
  width: number,
): Column {
  const widest = (measure: (cell: string) => number) =>
    rows.reduce((most, row) => Math.max(most, measure(row[index] ?? '')), widthOf(title));
  const natural = widest(widthOf);
  const least = kind === 'whole' ? natural : widest(kind === 'list' ? shortestList : longestWord);
  const wanted = kind === 'prose' ? Math.min(natural, Math.max(least, Math.floor(width / 3))) : least;
  return { title, index, kind, natural, wanted, least };
}

function shownColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly Column[] {
  const ranked = columns.map((column) => {
    const cells = rows.map((row) => row[column.index] ?? '');
    const rank = column.index === 0 ? Number.POSITIVE_INFINITY : importanceOf(column.title, cells);
    return { column, rank };
  });
  let shown = ranked.filter(({ rank }) => rank === Number.POSITIVE_INFINITY).map(({ column }) => column);
  const others = ranked.filter(({ column }) => !shown.includes(column));
  for (const { column } of others.toSorted((one, other) => other.rank - one.rank)) {
    const more = [...shown, column];
    if (total(more, ({ wanted }) => wanted) <= width) shown = more;
  }
  return columns.filter((column) => shown.includes(column));
}

function total(columns: readonly Column[], widthOfColumn: (column: Column) => number): number {
  return columns.reduce((sum, column) => sum + widthOfColumn(column), gap * (columns.length - 1));
}

/** The width at which a word of a terminal that is far too narrow is cut. */
const narrowest = 8;

/** The columns' widths: the widest shrinks until all fit, first to what is least, then further. */
function shrunk(columns: readonly Column[], width: number): readonly number[] {
  const widths = columns.map(({ natural }) => natural);
  let tooWide = total(columns, ({ natural }) => natural) - width;
  for (const limitOf of [({ least }: Column) => least, () => narrowest])
    while (tooWide > 0) {
      const candidates = columns.map((column, at) => {
        const current = widths[at] ?? 0;
        return current > limitOf(column) ? current : 0;
      });
      const widest = Math.max(...candidates);
      if (widest === 0) break;
      widths[candidates.indexOf(widest)] = widest - 1;
      tooWide -= 1;
    }
  return widths;
}

/** A cell in its column, and whether it is shortened. */
interface FittedCell {
  readonly text: string;
  readonly isShortened: boolean;
}

function fitCell(cell: string, width: number, kind: Kind): FittedCell {
  if (widthOf(cell) <= width) return { text: cell, isShortened: false };
  switch (kind) {
    case 'prose': {
      const lines = wrapLine(cell, width);
      return {
        text: lines.map((line) => cut(line, width)).join('\n'),
        isShortened: lines.some((line) => widthOf(line) > width),
      };
    }
    case 'list':
      return { text: cut(shortList(cell, width), width), isShortened: true };
    case 'whole':
      return { text: cut(cell, width), isShortened: true };
  }
}

const separator = ', ';

/** The first items of a list, and the number of the others. */
function shortList(cell: string, width: number): string {
  const items = cell.split(separator);
  let text = '';
  for (const [index, item] of items.entries()) {
    const rest = items.length - index - 1;
    const longer = index === 0 ? item : `${text}${separator}${item}`;
    if (index > 0 && widthOf(longer) + countText(rest).length > width)
      return `${text}${countText(items.length - index)}`;
    text = longer;
  }
  return text;
}

function shortestList(cell: string): number {
  const [first = '', ...others] = cell.split(separator);
  return widthOf(first) + countText(others.length).length;
}

function countText(others: number): string {
  return others === 0 ? '' : ` +${others}`;
}

const ellipsis = '...';

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let start = '';
  for (const character of text) {
    if (widthOf(start + character) > width - ellipsis.length) break;
    start += character;
  }
  return start + ellipsis;
}
