import type { Session } from './session.ts';
import { table } from './table.ts';

/** What these columns say when nothing is wrong. */
const good: Readonly<Record<string, string>> = { stale: '-', health: 'ok', ready: 'yes' };

/** A table of at least one row, each a record of cells by their column's title. What is wrong is yellow. */
export function rowsTable(rows: readonly Readonly<Record<string, string>>[], session: Session): string {
  const cells = rows.map((row) =>
    Object.entries(row).map(([title, cell]) =>
      (good[title] ?? cell) === cell ? cell : session.style('yellow', cell),
    ),
  );
  return table(Object.keys(rows[0] ?? {}), cells, session);
}
