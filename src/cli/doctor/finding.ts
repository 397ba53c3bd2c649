import type { Fact } from '../terminal/powershell.ts';
import { countText, firstFew } from '../terminal/short-text.ts';
import type { Snapshot } from './snapshot.ts';

/** The most urgent first. */
export const verdicts = ['FAIL', 'WARN', 'UNKNOWN', 'PASS'] as const;
/** The result of a check. UNKNOWN: what it needs could not be read. */
export type Verdict = (typeof verdicts)[number];

/** What a check found, with the commands for a problem. */
export interface Diagnosis {
  readonly verdict: Verdict;
  /** One line; further lines compare settings. */
  readonly seen: string;
  /** All that has the problem. Findings that differ only in it become one. */
  readonly subjects?: readonly string[];
  /** What the subjects are. Default: endpoint. */
  readonly noun?: string;
  /** The command that fixes the problem. It interrupts and destroys nothing. */
  readonly fix?: string;
  /** The command that shows details. */
  readonly see?: string;
}

type Details = Omit<Diagnosis, 'verdict' | 'seen'>;

/** A diagnosis with the name of its check. */
export interface Finding extends Diagnosis {
  readonly check: string;
}

/** Everything is as it should be; `seen` says what was compared with what. */
export function pass(seen: string): Diagnosis {
  return { verdict: 'PASS', seen };
}

/** The problems, or a PASS if there are none. */
export function orPass(problems: readonly Diagnosis[], seen: string): readonly Diagnosis[] {
  return problems.length > 0 ? problems : [pass(seen)];
}

/** A problem that does not stop pods, or only may. */
export function warn(seen: string, details: Details): Diagnosis {
  return { verdict: 'WARN', seen, ...details };
}

/** A problem that stops pods. */
export function fail(seen: string, details: Details): Diagnosis {
  return { verdict: 'FAIL', seen, ...details };
}

/** What the check needs could not be read; `seen` says why. */
export function unknown(seen: string, details: Details = {}): Diagnosis {
  return { verdict: 'UNKNOWN', seen, ...details };
}

/** One check of the node, listed in checks.ts. */
export interface Check {
  readonly name: string;
  /** Whether it concerns single pods. For one pod, doctor shows nothing but the failures of other checks. */
  readonly isOfPod?: true;
  /** Pure. Returns nothing if the check does not apply to this node. Throws NotObserved if it lacks what it compares. */
  diagnose(snapshot: Snapshot): readonly Diagnosis[];
}

/** Whether doctor is to diagnose an endpoint or namespace: any, or those of one pod. */
export function isSelected({ selected }: Pick<Snapshot, 'selected'>, id: string): boolean {
  return selected?.has(id) ?? true;
}

/** Why a check has no result: what it compares could not be read. */
export class NotObserved extends Error {}

/** The value of a fact. Throws NotObserved if it is not available. */
export function known<T>(fact: Fact<T>): T {
  if ('value' in fact) return fact.value;
  throw new NotObserved(fact.error);
}

/** Runs a check. What it lacks makes it UNKNOWN. */
export function diagnose(
  { diagnose: run }: Pick<Check, 'diagnose'>,
  snapshot: Snapshot,
): readonly Diagnosis[] {
  try {
    return run(snapshot);
  } catch (error) {
    if (error instanceof NotObserved) return [unknown(error.message)];
    throw error;
  }
}

/** Merges findings of a check that differ only in their subjects, and checks that lack the same, in the place of the first. */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(findings, ({ check, verdict, seen, subjects }) =>
    JSON.stringify([verdict === 'UNKNOWN' && subjects === undefined ? '' : check, verdict, seen]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const subjects = [first, ...others].flatMap((one) => one.subjects ?? []);
    const checks = [...new Set(others.map(({ check }) => check))].filter((check) => check !== first.check);
    return {
      ...first,
      ...(subjects.length > 0 && { subjects }),
      seen: checks.length === 0 ? first.seen : `${first.seen}\nalso not checked: ${checks.join(', ')}`,
    };
  });
}

/** What was seen, with the subject, or with the number of subjects and some of them. */
export function findingSeen({ seen, subjects = [], noun = 'endpoint' }: Finding): string {
  const [first] = subjects;
  if (first === undefined) return seen;
  if (subjects.length === 1) return `${first}: ${seen}`;
  return `${countText(subjects.length, noun)}: ${seen} (${firstFew(subjects)})`;
}
