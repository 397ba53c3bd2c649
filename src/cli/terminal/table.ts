import type { Session, Style } from './session.ts';
import { firstFew } from './short-text.ts';
import { cut, longestWord, shortIds, widthOf, wrapLine, wrapSentences } from './wrap.ts';

/** The number of spaces between two columns. */
const gap = 2;

/**
 * The columns that a narrow terminal hides, the least important first, after those with the same cell in every row. All others, the first
 * column of a table, and those with a problem are always shown.
 */
const hideable = (
  'file, source VIP, options, provider address, compartment, component, other, MAC, interface, gateways, ready, health, endpoints, ' +
  'endpoint, type, owner, adapter, matches, priority, namespace, network, container, protocols, ports, state, addresses'
).split(', ');

/** The columns of lists, which end with the number of their other items. */
const lists =
  'subnets, gateways, addresses, containers, pods, endpoints, frontends, ports, backends, options'.split(
    ', ',
  );

/** The columns of prose. As lists do, it wraps between words. The cells of all other columns stay whole. */
const proseColumns = 'local, remote, settings, rule, reason, observed, claim, leftover, problem'.split(', ');

/** The cells of these columns that indicate no problem. */
const healthy: Readonly<Record<string, string>> = { leftover: '-', problem: '-', health: 'ok', ready: 'yes' };

/** How a table looks, beyond what the titles of its columns decide. */
export interface TableLook {
  /** More columns that wrap between words. */
  readonly prose?: readonly string[];
  /** Default: problems are yellow. */
  readonly styleOf?: (title: string, row: number) => Style | undefined;
  /** The option or command that shows all columns. */
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

/** A table that fits the terminal, with a line below that names hidden columns. */
export function cellsTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { style, width }: Pick<Session, 'style' | 'width'>,
  { prose = [], styleOf, showAll = '-o wide' }: TableLook = {},
): string {
  const columns = titles.map((name, at) => ({
    name,
    wraps: [...prose, ...proseColumns, ...lists].includes(name),
    cells: [name, ...rows.map((row) => row[at] ?? '')],
  }));
  const { shown, hidden } = fitColumns(columns, width);
  const styled = shown.map(({ name, cells, fitted }) =>
    fitted.map((text, at) => {
      if (at === 0) return style('bold', text);
      const problem = isProblem(name, cells[at] ?? '') ? 'yellow' : undefined;
      const ofCell = styleOf === undefined ? problem : styleOf(name, at - 1);
      return ofCell === undefined ? text : style(ofCell, text);
    }),
  );
  if (hidden.length === 0) return draw(styled);
  const names = hidden.map((column) => {
    const [name = '', value = ''] = column.cells;
    if (isEmpty(column)) return `${name} (none)`;
    return isConstant(column) ? `${name} (${value} in every row)` : name.trim();
  });
  const note = wrapSentences(`hidden columns: ${names.join(', ')} (show all: ${showAll})`, width, 2);
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
  readonly wraps: boolean;
  readonly cells: readonly string[];
}

interface Fitted extends Column {
  /** The cells as shown. Those that wrap may have line breaks. */
  readonly fitted: readonly string[];
}

/** Fits columns into a width, in this order: IDs and lists are shortened, columns are hidden, and cells wrap. Words that are still too wide are cut. */
function fitColumns(
  given: readonly Column[],
  width: number,
): { readonly shown: readonly Fitted[]; readonly hidden: readonly Column[] } {
  const unfitted = given.map((column) => ({ ...column, fitted: column.cells }));
  if (total(given.map(naturalWidth)) <= width) return { shown: unfitted, hidden: [] };
  const columns = given.map((column) => ({
    ...column,
    cells: column.cells
      .map(shortIds)
      .map((cell) => (lists.includes(column.name) ? firstFew(cell.split(', ')) : cell)),
  }));
  const shown = selectColumns(columns, width);
  const widths = shrink(shown, width);
  const fitCell = (cell: string, most: number, wraps: boolean) =>
    (wraps ? wrapLine(cell, most) : [cell]).map((line) => cut(line, most)).join('\n');
  return {
    shown: shown.map((column, at) => ({
      ...column,
      fitted: column.cells.map((cell, row) => fitCell(cell, widths[at] ?? 0, column.wraps && row > 0)),
    })),
    hidden: columns.filter((column) => !shown.includes(column)),
  };
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
}

function naturalWidth({ cells }: Column): number {
  return Math.max(...cells.map(widthOf));
}

/** The width of a column whose cells wrap at every word. */
function leastWidth({ name, cells, wraps }: Column): number {
  return Math.max(widthOf(name), ...cells.map(wraps ? longestWord : widthOf));
}

/** Hides columns, the least important first, until the others fit. */
function selectColumns(columns: readonly Column[], width: number): readonly Column[] {
  const isHidden = new Set<Column>();
  const shown = () => columns.filter((column) => !isHidden.has(column));
  for (const column of columns.slice(1).toSorted((one, other) => importanceOf(one) - importanceOf(other))) {
    if (importanceOf(column) === always || total(shown().map(leastWidth)) <= width) break;
    isHidden.add(column);
  }
  return shown();
}

const always = hideable.length;

function importanceOf(column: Column): number {
  const {
    name,
    cells: [, ...cells],
  } = column;
  if (cells.some((cell) => isProblem(name, cell))) return always;
  const rank = hideable.indexOf(name);
  if (isConstant(column) || isEmpty(column)) return rank - always - 1;
  return rank < 0 ? always : rank;
}

function isEmpty({ cells: [, ...cells] }: Column): boolean {
  return cells.every((cell) => cell === '-');
}

/** Whether a column shows nothing that one row does not. Addresses and states are compared even then. */
function isConstant({ name, cells: [, first, ...others] }: Column): boolean {
  const isFact = name === 'addresses' || name === 'state';
  return !isFact && others.length > 0 && others.every((cell) => cell === first);
}

function isProblem(title: string, cell: string): boolean {
  return (healthy[title] ?? cell) !== cell;
}

/** The width at which a word of a terminal that is far too narrow is cut. */
const narrowest = 8;

/** The columns' widths: the widest shrinks until all fit, first to what is least, then further. */
function shrink(columns: readonly Column[], width: number): readonly number[] {
  const widths = columns.map(naturalWidth);
  for (const limits of [columns.map(leastWidth), columns.map(() => narrowest)])
    while (total(widths) > width) {
      const candidates = widths.map((current, at) => (current > (limits[at] ?? 0) ? current : 0));
      const most = Math.max(...candidates);
      if (most === 0) break;
      widths[candidates.indexOf(most)] = most - 1;
    }
  return widths;
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
