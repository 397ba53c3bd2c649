import type { HnsVersion } from '../../hcn/documents.ts';
import { printableIn } from '../terminal/output.ts';
import type { Session } from '../terminal/session.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { errorText, isExternal, type NetworkType, type Row } from './experiment.ts';
import type { NodeFacts } from './node-facts.ts';
import { obstacle, type Permissions, type RunResult } from './run.ts';

type Verdict = 'holds' | 'does not hold' | 'not tried';

/** A row in the report. */
export interface Finding {
  readonly id: string;
  readonly claim: string;
  readonly verdict: Verdict;
  /** Whether win-hcn works with what was observed, if the claim does not hold. */
  readonly handled?: boolean;
  readonly observed?: string;
  readonly detail?: string;
  /** Why the row was not tried. */
  readonly reason?: string;
  /** The type of the network on which the experiment ran. Absent if it needs none. */
  readonly on?: NetworkType;
}

/** What `probe -o json` prints. All texts are win-hcn's own, so that a report has no names, addresses or IDs of the node. */
export interface Report extends NodeFacts {
  /** For people. */
  readonly summary: readonly string[];
  readonly winHcn: string;
  readonly time: string;
  /** Undefined if HNS did not report it. */
  readonly hns?: HnsVersion;
  /** How many objects were created. */
  readonly created: number;
  readonly rows: readonly Finding[];
  /** Objects of the probe that could not be deleted, with the reason. */
  readonly remaining: readonly string[];
}

/** The findings of rows. */
export function findingsOf(
  rows: readonly Row[],
  { observations, failure }: RunResult,
  permissions: Permissions,
  hasOtherNat: boolean,
): readonly Finding[] {
  return rows.map((row): Finding => {
    const { id, claim, expected, handled } = row;
    const reason = obstacle(row, permissions, hasOtherNat);
    const observation = observations.get(id) ?? { reason: errorText(failure) };
    if (reason !== undefined || 'reason' in observation)
      return { id, claim, verdict: 'not tried', ...observation, ...(reason !== undefined && { reason }) };
    const holds = expected.includes(observation.observed);
    const verdict: Pick<Finding, 'verdict' | 'handled'> = holds
      ? { verdict: 'holds' }
      : { verdict: 'does not hold', handled: handled.includes(observation.observed) };
    return { id, claim, ...verdict, ...observation };
  });
}

function withVerdict(rows: readonly Finding[], verdict: Verdict): readonly Finding[] {
  return rows.filter((row) => row.verdict === verdict);
}

/** The first sentences of a report. */
export function summaryOf(
  { created, rows, remaining }: Pick<Report, 'created' | 'rows' | 'remaining'>,
  isRestarted: boolean,
): readonly string[] {
  const pods = isRestarted ? 'HNS was restarted while no pods ran' : 'pods were not touched';
  const objects = created === 1 ? '1 object' : `${created || 'no'} objects`;
  const removed = remaining.length === 0 ? ` and removed ${created}` : ' and did not remove all';
  return [
    `Created ${objects}${created === 0 ? '' : removed}; ${pods}.`,
    differencesIn(rows),
    'This report has no names, addresses or IDs of this node.',
  ];
}

function differencesIn(rows: readonly Finding[]): string {
  const different = withVerdict(rows, 'does not hold');
  const unknown = different.filter(({ handled }) => handled !== true);
  const points = different.length === 1 ? '1 point' : `${different.length} points`;
  if (rows.every(({ verdict }) => verdict === 'not tried')) return 'No experiment was run.';
  if (different.length === 0) return 'All tested claims hold on this node.';
  if (unknown.length === 0)
    return `This node differs in ${points}, and win-hcn is tested with ${different.length === 1 ? 'it' : 'all of them'}.`;
  const names = unknown.map(({ id, observed }) => `${id} (${observed})`).join(', ');
  return `This node differs in ${points}. win-hcn is not tested with ${names}: please report this.`;
}

/** The text of `probe`: the summary, and the rows that differ (with `isWide` all). */
export function reportText(report: Report, isWide: boolean, session: Session): string {
  const { summary, windows, hns, rows, remaining } = printableIn(report);
  const version = hns === undefined ? 'unknown' : `${hns.Major}.${hns.Minor}`;
  const different = withVerdict(rows, 'does not hold');
  const counts = `${withVerdict(rows, 'holds').length} hold, ${different.length} do not hold, ${withVerdict(rows, 'not tried').length} not tried`;
  const prose = (lines: readonly string[]) => wrapSentences(lines.join('\n'), session.width);
  return [
    prose([...summary, '', `Windows: ${windows ?? 'unknown'}, HNS: ${version}`]),
    ...(isWide
      ? ['', rowsText(rows, session), '']
      : different.map((row) => `${row.id}: ${row.observed} ${groundText(row)}`)),
    prose([`${counts}${isWide ? '' : '. Use -o wide for every row'}`]),
    ...remaining.map((text) => prose([`not deleted: ${text}`])),
    ...(remaining.length > 0
      ? [prose(['The next probe deletes these objects, except a namespace to which HNS gave another ID.'])]
      : []),
  ].join('\n');
}

/** As in `on a Private network`. */
function groundText({ on }: Finding): string {
  if (on === undefined) return 'on this node';
  return isExternal(on) ? `on ${on} on the adapter` : `on a ${on} network`;
}

const colors = { holds: 'green', 'does not hold': 'yellow', 'not tried': 'dim' } as const;

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
