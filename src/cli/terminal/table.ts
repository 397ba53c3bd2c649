import CliTable from 'cli-table3';
import { isProblem } from './column-rules.ts';
import { fitColumns, gap } from './fit-columns.ts';
import type { Session, Style } from './session.ts';
import { widthOf, wrapSentences } from './wrap.ts';

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
    cells.reduce((most, row) => Math.max(most, widthOfLines(row[column] ?? '')), 0),
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

function widthOfLines(cell: string): number {
  return Math.max(...cell.split('\n').map(widthOf));
}

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
  return cellsTable(
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
    session,
    look,
  );
}

/** A table that fits the terminal, with a line below that names what is hidden or shortened. */
export function cellsTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  session: Session,
  { prose, styleOf, showAll = '-o wide' }: TableLook = {},
): string {
  const { hidden, shortened, ...fitted } = fitColumns(titles, rows, session.width, prose);
  const problemStyle = (title: string, row: number) =>
    isProblem(title, rows[row]?.[titles.indexOf(title)] ?? '') ? 'yellow' : undefined;
  const styled = fitted.rows.map((cells, row) =>
    cells.map((cell, at) => {
      const style = (styleOf ?? problemStyle)(titles[fitted.shown[at] ?? 0] ?? '', row);
      return style === undefined ? cell : session.style(style, cell);
    }),
  );
  const notes = [
    ...(hidden.length === 0 ? [] : [`hidden columns: ${hidden.join(', ')}`]),
    ...(shortened.length === 0 ? [] : [`shortened columns: ${shortened.join(', ')}`]),
  ];
  const text = table(fitted.titles, styled, session);
  if (notes.length === 0) return text;
  const note = wrapSentences(`${notes.join('; ')} (show all: ${showAll})`, session.width, 2);
  return `${text}\n${session.style('dim', note)}`;
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
