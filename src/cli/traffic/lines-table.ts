import { fitColumns } from '../fit-columns.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import type { Decides, Judgement } from './match-tuple.ts';

/** A line that was considered: its cells by their column's title. */
export interface ConsideredLine extends Judgement {
  readonly cells: Readonly<Record<string, string>>;
  readonly decides: Decides;
}

/** A table of at least one line, each with whether it matches, whether it decides, and why not. What decides is bold. */
export function linesTable(lines: readonly ConsideredLine[], session: Session): string {
  const rows = lines.map(({ cells, matches, decides, because = '' }) => {
    const row = { ...cells, matches, decides: decides === 'no' ? '-' : decides, because };
    return { decides, row };
  });
  const { titles, rows: fitted } = fitColumns(
    Object.keys(rows[0]?.row ?? {}),
    rows.map(({ row }) => Object.values(row)),
    session.width,
  );
  const body = fitted.map((cells, index) =>
    cells.map((cell) => (rows[index]?.decides === 'no' ? cell : session.style('bold', cell))),
  );
  return table(titles, body, session);
}
