import { printableIn } from '../output.ts';
import type { Session } from '../session.ts';
import { cellsTable, rowsTable } from '../table.ts';
import type { Difference } from './compare.ts';
import { countVerdicts, type Finding, type Report } from './report.ts';

const colors = { holds: 'green', 'does not hold': 'yellow', 'not tried': 'dim' } as const;

/** The text of `probe`: the node, a line for each row, the counts, and the differences from another node's report if given. */
export function reportText(
  report: Report & { readonly differences?: readonly Difference[] },
  session: Session,
): string {
  const { windows, hns, rows, remaining, differences } = printableIn(report);
  const version = hns === undefined ? 'unknown' : `${hns.Major}.${hns.Minor}`;
  return [
    `Windows: ${windows ?? 'unknown'}, HNS: ${version}`,
    '',
    rowsText(rows, session),
    '',
    countsText(rows),
    ...(differences === undefined ? [] : ['', differencesText(differences, session)]),
    ...remaining.map((text) => `not deleted: ${text}`),
    ...(remaining.length > 0
      ? ['The next probe deletes these objects, except a namespace to which HNS gave another ID.']
      : []),
  ].join('\n');
}

function rowsText(rows: readonly Finding[], session: Session): string {
  const cells = rows.map(({ id, claim, verdict, observed, reason }) => ({
    verdict,
    row: id,
    observed: observed ?? reason ?? '',
    claim,
  }));
  return rowsTable(cells, session, {
    styleOf: (title, row) => (title === 'verdict' ? colors[rows[row]?.verdict ?? 'holds'] : undefined),
  });
}

/** As in `70 hold, 3 do not hold, 20 not tried`. */
function countsText(rows: readonly Finding[]): string {
  const counts = countVerdicts(rows);
  return `${counts.holds} hold, ${counts['does not hold']} do not hold, ${counts['not tried']} not tried`;
}

function differencesText(differences: readonly Difference[], session: Session): string {
  if (differences.length === 0) return 'No differences from the other report.';
  const nodes = ['this node', 'other node'];
  const cells = differences.map(({ row, here, there }) => [row, here, there]);
  return cellsTable(['row', ...nodes], cells, session, { prose: nodes });
}
