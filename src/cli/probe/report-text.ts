import { printableIn } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { isExternal } from './observation.ts';
import { countVerdicts, type Finding, type Report } from './report.ts';

const colors = { holds: 'green', 'does not hold': 'yellow', 'not tried': 'dim' } as const;

/** The text of `probe`: the summary, and the rows that differ (with `isWide` all). */
export function reportText(report: Report, isWide: boolean, session: Session): string {
  const { summary, windows, hns, rows, remaining } = printableIn(report);
  const version = hns === undefined ? 'unknown' : `${hns.Major}.${hns.Minor}`;
  const { holds, 'does not hold': differ, 'not tried': others } = countVerdicts(rows);
  const counts = `${holds} hold, ${differ} do not hold, ${others} not tried`;
  const prose = (lines: readonly string[]) => wrapSentences(lines.join('\n'), session.width);
  return [
    prose([...summary, '', `Windows: ${windows ?? 'unknown'}, HNS: ${version}`]),
    ...(isWide ? ['', rowsText(rows, session), ''] : differing(rows)),
    prose([`${counts}${isWide ? '' : '. Use -o wide for every row'}`]),
    ...remaining.map((text) => prose([`not deleted: ${text}`])),
    ...(remaining.length > 0
      ? [prose(['The next probe deletes these objects, except a namespace to which HNS gave another ID.'])]
      : []),
  ].join('\n');
}

function differing(rows: readonly Finding[]): readonly string[] {
  const different = rows.filter(({ verdict }) => verdict === 'does not hold');
  return different.map((row) => `${row.id}: ${row.observed} ${groundText(row)}`);
}

/** As in `on a Private network`. */
function groundText({ on }: Finding): string {
  if (on === undefined) return 'on this node';
  return isExternal(on) ? `on ${on} on the adapter` : `on a ${on} network`;
}

function rowsText(rows: readonly Finding[], session: Session): string {
  const cells = rows.map((row) => ({
    verdict: row.verdict,
    row: row.id,
    observed: row.observed ?? row.reason ?? '',
    ground: row.verdict === 'not tried' ? '' : groundText(row),
    claim: row.claim,
  }));
  return rowsTable(cells, session, {
    styleOf: (title, row) => (title === 'verdict' ? colors[rows[row]?.verdict ?? 'holds'] : undefined),
  });
}
