import { version } from '../../version.ts';
import { printableIn } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { errorText, type Observation, type Row } from './experiment.ts';
import { isPermitted } from './run.ts';

type Verdict = 'holds' | 'does not hold' | 'not tried';

/** A row in the report. */
export interface Finding extends Observation {
  readonly id: string;
  readonly verdict: Verdict;
  /** Whether win-hcn works with what was observed, if the claim does not hold. */
  readonly handled?: boolean;
}

/** What `probe -o json` prints. All texts are win-hcn's own, so that a report has no names, addresses or IDs of the node. */
export type Report = ReturnType<typeof newReport>;

/**
 * Returns a report of findings, of the number of created objects, and of those that could not be deleted, with the reasons. `windows` and
 * `hns`, as in `15.5`, are undefined if they could not be read.
 */
export function newReport(
  { windows, hns }: { readonly windows: string | undefined; readonly hns: string | undefined },
  time: Date,
  created: number,
  rows: readonly Finding[],
  remaining: readonly string[],
) {
  return {
    summary: summaryOf(rows, created, remaining.length),
    ...{ winHcn: version, time: time.toISOString() },
    ...(windows !== undefined && { windows }),
    ...(hns !== undefined && { hns }),
    ...{ created, rows, remaining },
  };
}

/** The findings of rows, of which `failure` left some without an observation. */
export function findingsOf(
  rows: readonly Row[],
  observations: ReadonlyMap<string, Observation>,
  failure: unknown,
  adapter: string | undefined,
): readonly Finding[] {
  return rows.map((row): Finding => {
    const { id, expected, handled } = row;
    const observation = isPermitted(row, adapter)
      ? (observations.get(id) ?? { reason: errorText(failure) })
      : { reason: 'requires --adapter' };
    const { observed } = observation;
    if (observed === undefined) return { id, verdict: 'not tried', ...observation };
    if (expected.includes(observed)) return { id, verdict: 'holds', ...observation };
    return { id, verdict: 'does not hold', handled: handled.includes(observed), ...observation };
  });
}

/** The first sentences of a report. */
function summaryOf(rows: readonly Finding[], created: number, remaining: number): readonly string[] {
  const removed = remaining === 0 ? `removed ${created}` : 'did not remove all';
  return [
    `Created ${countText(created, 'object')} and ${removed}; pods were not touched.`,
    differencesIn(rows),
    'This report has no names, addresses or IDs of this node.',
  ];
}

function differencesIn(rows: readonly Finding[]): string {
  if (rows.every(({ verdict }) => verdict === 'not tried')) return 'No experiment was run.';
  const different = rows.filter(({ verdict }) => verdict === 'does not hold');
  if (different.length === 0) return 'All tested claims hold on this node.';
  const unknown = different.filter(({ handled }) => handled !== true);
  const names = unknown.map(({ id, observed }) => `${id} (${observed})`).join(', ');
  return unknown.length === 0
    ? `${countText(different.length, 'claim')} of docs/notes/uncertain-hns.md fails on this node: win-hcn is tested with that.`
    : `This node differs from what win-hcn is tested with: ${names}. Please report this.`;
}

const colors = { holds: 'green', 'does not hold': 'yellow', 'not tried': 'dim' } as const;

/** The text of `probe`: the summary, the rows, and what remains. */
export function reportText(report: Report, session: Session): string {
  const { summary, windows = 'unknown', hns = 'unknown', rows, remaining } = printableIn(report);
  const cells = rows.map(({ verdict, id, observed, reason }) => ({
    verdict,
    row: id,
    observed: observed ?? reason ?? '',
  }));
  const table = rowsTable(cells, session, {
    styleOf: (title, row) => (title === 'verdict' ? colors[rows[row]?.verdict ?? 'holds'] : undefined),
  });
  const prose = (lines: readonly string[]) => wrapSentences(lines.join('\n'), session.width);
  return [
    prose([...summary, '', `Windows: ${windows}, HNS: ${hns}`, '']),
    table,
    ...remaining.map((text) => prose([`not deleted, which the next probe retries: ${text}`])),
  ].join('\n');
}
