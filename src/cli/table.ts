import CliTable from 'cli-table3';
import { Help } from 'commander';
import stringWidth from 'string-width';
import { fitColumns } from './fit-columns.ts';
import type { Session } from './session.ts';

/** Between two columns. */
const gap = 2;
/** The library needs the square of the rows that it draws at once. */
const rowsAtOnce = 50;

/** A head and rows in columns, without lines, each as wide as its longest cell. Cells may have styles and line breaks. */
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

/** What these columns say when nothing is wrong. */
const good: Readonly<Record<string, string>> = { stale: '-', health: 'ok', ready: 'yes' };

/**
 * A table of at least one row, each a record of cells by their column's title. What is wrong is yellow. A terminal that is too narrow
 * gets it without `expendable` columns, the first named first, which a line below names; one that says what is wrong stays.
 */
export function rowsTable(
  rows: readonly Readonly<Record<string, string>>[],
  session: Session,
  expendable: readonly string[] = [],
): string {
  const isWrong = (title: string, cell: string | undefined) => (good[title] ?? cell) !== cell;
  const titles = Object.keys(rows[0] ?? {});
  const dispensable = expendable.filter((title) => rows.every((row) => !isWrong(title, row[title])));
  const cells = rows.map((row) => Object.values(row));
  const { leftOut, ...fitted } = fitColumns(titles, cells, session.width, dispensable);
  const shown = titles.filter((title) => !leftOut.includes(title));
  const coloured = fitted.rows.map((row, index) =>
    row.map((cell, at) => {
      const title = shown[at] ?? '';
      return isWrong(title, rows[index]?.[title]) ? session.style('yellow', cell) : cell;
    }),
  );
  const text = table(fitted.titles, coloured, session);
  if (leftOut.length === 0) return text;
  return `${text}\n${session.style('dim', `left out here: ${leftOut.join(', ')} (-o wide shows all)`)}`;
}

/** Named texts below one another, indented, each wrapped beside its name; those that are undefined or empty are left out. */
export function definitionList(texts: Readonly<Record<string, string | undefined>>, width: number): string {
  const helper = new Help();
  helper.prepareContext({ helpWidth: width });
  const present = Object.entries(texts).filter(([, text]) => text);
  const longest = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, text]) => helper.formatItem(name, longest, text ?? '', helper)).join('\n');
}
