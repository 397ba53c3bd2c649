import CliTable from 'cli-table3';
import { Help } from 'commander';
import stringWidth from 'string-width';
import { fitColumns } from './fit-columns.ts';
import type { Session } from './session.ts';

/** Between two columns. */
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
const healthy: Readonly<Record<string, string>> = { stale: '-', health: 'ok', ready: 'yes' };

/**
 * A table of rows that are records of cells by column title. Problems are yellow. A narrow terminal gets it without `expendable` columns
 * (the first ones first), which a line below names; a column with a problem stays.
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
