import type { HnsVersion } from '../../hcn/documents.ts';
import type { CallRecord } from './hcn-calls.ts';
import type { NodeFacts } from './node-facts.ts';
import type { NetworkType, Observation } from './observation.ts';

export type Verdict = 'holds' | 'does not hold' | 'not tried';

/** A row in the report. */
export interface Finding extends Partial<Observation> {
  readonly id: string;
  readonly claim: string;
  readonly verdict: Verdict;
  /** Whether win-hcn works with what was observed, if the claim does not hold. */
  readonly handled?: boolean;
  /** Why the row was not tried. */
  readonly reason?: string;
  /** The ground: the type of the network on which the experiment ran. Absent if it needs none. */
  readonly on?: NetworkType;
  readonly calls?: readonly CallRecord[];
}

/** What `probe -o json` prints. */
export interface Report extends NodeFacts {
  /** For people. */
  readonly summary: readonly string[];
  readonly winHcn: string;
  readonly time: string;
  /** Undefined if HNS did not report it. */
  readonly hns?: HnsVersion;
  /** How many objects were created, or may have been because HCN did not respond. */
  readonly created: number;
  readonly rows: readonly Finding[];
  /** Objects that could not be deleted, with the reason. */
  readonly remaining: readonly string[];
}

type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(rows: readonly Finding[]): Counts {
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  return { holds: count('holds'), 'does not hold': count('does not hold'), 'not tried': count('not tried') };
}

/** The first sentences of a report. */
export function summaryOf(
  { created, rows, remaining }: Omit<Report, 'summary'>,
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
  const different = rows.filter(({ verdict }) => verdict === 'does not hold');
  const unknown = different.filter(({ handled }) => handled !== true);
  const points = different.length === 1 ? '1 point' : `${different.length} points`;
  if (rows.every(({ verdict }) => verdict === 'not tried')) return 'No experiment was run.';
  if (different.length === 0) return 'All tested claims hold on this node.';
  if (unknown.length === 0)
    return `This node differs in ${points}, and win-hcn is tested with ${different.length === 1 ? 'it' : 'all of them'}.`;
  const names = unknown.map(({ id, observed }) => `${id} (${observed})`).join(', ');
  return `This node differs in ${points}. win-hcn is not tested with ${names}: please report this.`;
}
