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
  const head = Object.keys(rows[0]?.row ?? {});
  const body = rows.map(({ row, decides }) =>
    Object.values(row).map((cell) => (decides !== 'no' ? session.style('bold', cell) : cell)),
  );
  return table(head, body, session);
}
