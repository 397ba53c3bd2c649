import type { HnsVersion } from '../../hcn/documents.ts';
import type { CallRecord } from './laboratory.ts';
import type { NodeFacts } from './node-facts.ts';
import type { NetworkType, Observation } from './row.ts';

export type Verdict = 'holds' | 'does not hold' | 'not tried';

/** A row in the report. */
export interface Finding extends Partial<Observation> {
  readonly id: string;
  readonly claim: string;
  readonly verdict: Verdict;
  /** Why the row was not tried. */
  readonly reason?: string;
  /** The network on which the experiment ran. */
  readonly on?: NetworkType;
  readonly calls?: readonly CallRecord[];
}

/** What `probe -o json` prints. */
export interface Report extends NodeFacts {
  readonly winHcn: string;
  readonly time: string;
  /** Undefined if HNS did not report it. */
  readonly hns?: HnsVersion;
  readonly rows: readonly Finding[];
  /** Objects that could not be deleted, with the reason. */
  readonly remaining: readonly string[];
}

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(rows: readonly Finding[]): Counts {
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  return { holds: count('holds'), 'does not hold': count('does not hold'), 'not tried': count('not tried') };
}

/** The file with a report on each line, in the folder of the log; undefined without a log. */
export function reportLog(logFile: string): string | undefined {
  if (logFile === '') return undefined;
  const folderEnd = Math.max(logFile.lastIndexOf('/'), logFile.lastIndexOf('\\')) + 1;
  return `${logFile.slice(0, folderEnd)}probe.log`;
}
