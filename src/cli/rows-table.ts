import { fitColumns } from './fit-columns.ts';
import type { Session } from './session.ts';
import { table } from './table.ts';

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
