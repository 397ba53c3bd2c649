import type { Session } from './session.ts';
import { table } from './table.ts';

/** A table of at least one row, each a record of cells by their column's title. */
export function rowsTable(rows: readonly Readonly<Record<string, string>>[], session: Session): string {
  return table(Object.keys(rows[0] ?? {}), rows.map(Object.values), session);
}
