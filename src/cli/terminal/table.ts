import { importanceOf, isProblem, type Kind, kindOf } from './columns.ts';
import type { Session, Style } from './session.ts';
import { cut, idShortener, longestWord, widthOf, wrapLine, wrapSentences } from './wrap.ts';

/** The number of spaces between two columns. */
const gap = 2;

/** How a table looks, beyond what the titles of its columns decide. */
export interface TableLook {
  /** Columns of prose, which wraps between words. */
  readonly prose?: readonly string[];
  /** Default: problems are yellow. */
  readonly styleOf?: (title: string, row: number) => Style | undefined;
  /** The option or command that shows all columns in full. */
  readonly showAll?: string;
}

/** A table of rows that are records of cells by column title. */
export function rowsTable(
  rows: readonly Readonly<Record<string, string>>[],
  session: Session,
  look: TableLook = {},
): string {
  const cells = rows.map((row) => Object.values(row));
  return cellsTable(Object.keys(rows[0] ?? {}), cells, session, look);
}

/** A table that fits the terminal, with a line below that names what is hidden or shortened. */
export function cellsTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { style, width }: Pick<Session, 'style' | 'width'>,
  { prose = [], styleOf, showAll = '-o wide' }: TableLook = {},
): string {
  const columns = titles.map((name, at) => ({
    name,
    kind: prose.includes(name) ? 'prose' : kindOf(name),
    cells: [name, ...rows.map((row) => row[at] ?? '')],
  }));
  const { shown, hidden, shortened } = fitColumns(columns, width);
  const styled = shown.map(({ name, cells, fitted }) =>
    fitted.map((text, at) => {
      if (at === 0) return style('bold', text);
      const problem = isProblem(name, cells[at] ?? '') ? 'yellow' : undefined;
      const ofCell = styleOf === undefined ? problem : styleOf(name, at - 1);
      return ofCell === undefined ? text : style(ofCell, text);
    }),
  );
  const notes = Object.entries({ hidden, shortened }).flatMap(([what, names]) =>
    names.length === 0 ? [] : [`${what} columns: ${names.join(', ')}`],
  );
  if (notes.length === 0) return draw(styled);
  const note = wrapSentences(`${notes.join('; ')} (show all: ${showAll})`, width, 2);
  return `${draw(styled)}\n${style('dim', note)}`;
}

/** Columns side by side, each as wide as its longest line. */
function draw(columns: readonly (readonly string[])[]): string {
  const split = columns.map((cells) => cells.map((cell) => cell.split('\n')));
  const padded = split.map((cells) => {
    const widest = cells.flat().reduce((most, line) => Math.max(most, widthOf(line)), 0);
    return cells.map((lines) => ({
      lines,
      pad: (line: string) => line + ' '.repeat(widest - widthOf(line)),
    }));
  });
  return (split[0] ?? [])
    .flatMap((_, row) => {
      const cells = padded.map((column) => column[row]);
      const height = Math.max(...cells.map((cell) => cell?.lines.length ?? 0));
      return Array.from({ length: height }, (_line, at) =>
        cells
          .map((cell) => cell?.pad(cell.lines[at] ?? ''))
          .join(' '.repeat(gap))
          .trimEnd(),
      );
    })
    .join('\n');
}

/** A column of plain text. The first cell is the title. */
interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly cells: readonly string[];
}

/** A column with its widths: of the widest cell, the least one, and the one that it gets so that other columns can be shown. */
interface Measured extends Column {
  readonly natural: number;
  readonly least: number;
  readonly wanted: number;
}

interface Fitted extends Column {
  /** The cells as shown. Prose may have line breaks. */
  readonly fitted: readonly string[];
}

/**
 * Fits columns into a width, in this order: IDs are shortened, columns are hidden (`importanceOf`), lists are shortened, and prose is
 * wrapped between words. Words that are still too wide are cut.
 */
function fitColumns(
  given: readonly Column[],
  width: number,
): {
  readonly shown: readonly Fitted[];
  readonly hidden: readonly string[];
  readonly shortened: readonly string[];
} {
  if (total(given.map(({ cells }) => widest(cells, widthOf))) <= width)
    return {
      shown: given.map((column) => ({ ...column, fitted: column.cells })),
      hidden: [],
      shortened: [],
    };
  const short = idShortener(given.flatMap(({ cells }) => cells));
  const columns = given.map((column) => measure({ ...column, cells: column.cells.map(short) }, width));
  const shownColumns = selectColumns(columns, width);
  const widths = shrink(shownColumns, width);
  const shown = shownColumns.map((column, at) => {
    const fitted = column.cells.map((cell, row) =>
      fitCell(cell, widths[at] ?? 0, row === 0 ? 'whole' : column.kind),
    );
    return { ...column, fitted };
  });
  const titleOf = ({ cells: [title = ''] }: Column) => title;
  return {
    shown,
    hidden: columns.filter((column) => !shownColumns.includes(column)).map(titleOf),
    shortened: shown.filter(({ cells, fitted }) => bare(cells) !== bare(fitted)).map(titleOf),
  };
}

/** The texts of rows without white space, which wrapping changes. */
function bare(cells: readonly string[]): string {
  return cells.slice(1).join('\n').replaceAll(/\s/g, '');
}

function widest(cells: readonly string[], measureCell: (cell: string, row: number) => number): number {
  return cells.reduce((most, cell, row) => Math.max(most, measureCell(cell, row)), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
}

function measure(column: Column, width: number): Measured {
  const { cells, kind } = column;
  const natural = widest(cells, widthOf);
  const least = widest(cells, (cell, row) => {
    if (kind === 'whole' || row === 0) return widthOf(cell);
    return kind === 'list' ? widthOf(shortList(cell, 0)) : longestWord(cell);
  });
  const wanted = kind === 'prose' ? Math.min(natural, Math.max(least, Math.floor(width / 3))) : least;
  return { ...column, natural, least, wanted };
}

function selectColumns(columns: readonly Measured[], width: number): readonly Measured[] {
  const ranked = columns.map((column, at) => {
    const rank = at === 0 ? Number.POSITIVE_INFINITY : importanceOf(column.name, column.cells.slice(1));
    return { column, rank };
  });
  let shown: readonly Measured[] = [];
  for (const { column, rank } of ranked.toSorted((one, other) => (one.rank < other.rank ? 1 : -1))) {
    const more = [...shown, column];
    if (rank === Number.POSITIVE_INFINITY || total(more.map(({ wanted }) => wanted)) <= width) shown = more;
  }
  return columns.filter((column) => shown.includes(column));
}

/** The width at which a word of a terminal that is far too narrow is cut. */
const narrowest = 8;

/** The columns' widths: the widest shrinks until all fit, first to what is least, then further. */
function shrink(columns: readonly Measured[], width: number): readonly number[] {
  const widths = columns.map(({ natural }) => natural);
  for (const limits of [columns.map(({ least }) => least), columns.map(() => narrowest)])
    while (total(widths) > width) {
      const candidates = widths.map((current, at) => (current > (limits[at] ?? 0) ? current : 0));
      const most = Math.max(...candidates);
      if (most === 0) break;
      widths[candidates.indexOf(most)] = most - 1;
    }
  return widths;
}

function fitCell(cell: string, width: number, kind: Kind): string {
  if (widthOf(cell) <= width) return cell;
  const lines = kind === 'prose' ? wrapLine(cell, width) : [kind === 'list' ? shortList(cell, width) : cell];
  return lines.map((line) => cut(line, width)).join('\n');
}

/** The first items of a list, at least one, and the number of the others. */
function shortList(cell: string, width: number): string {
  const items = cell.split(', ');
  const first = (count: number) => `${items.slice(0, count).join(', ')} +${items.length - count}`;
  let count = 1;
  while (count + 1 < items.length && widthOf(first(count + 1)) <= width) count += 1;
  return items.length === 1 ? cell : first(count);
}

/** An indented list of named texts, each wrapped beside its name. Undefined and empty texts are omitted. */
export function definitionList(texts: Readonly<Record<string, string | undefined>>, width: number): string {
  const present = Object.entries(texts).flatMap(([name, text]) => (text ? [{ name, text }] : []));
  const longest = Math.max(...present.map(({ name }) => name.length));
  const indent = ' '.repeat(longest + 2 * gap);
  return present
    .map(({ name, text }) => {
      const wrapped = wrapSentences(text, width - indent.length).replaceAll('\n', `\n${indent}`);
      return `${' '.repeat(gap)}${name.padEnd(longest + gap)}${wrapped}`;
    })
    .join('\n');
}
