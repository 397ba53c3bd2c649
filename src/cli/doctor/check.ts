import type { Fact, Query } from '../terminal/powershell.ts';
import type { Facts } from './facts.ts';

/** The most urgent first. */
export const verdicts = ['FAIL', 'WARN', 'UNKNOWN', 'PASS'] as const;
/** The result of a check. UNKNOWN: what it needs could not be read. */
export type Verdict = (typeof verdicts)[number];

/** What a check found, with the commands for a problem. */
export interface Diagnosis extends Commands {
  readonly verdict: Verdict;
  /** One line; further lines compare settings. */
  readonly seen: string;
}

interface Commands {
  /** The command that fixes the problem. */
  readonly fix?: string;
  /** The command that shows details. */
  readonly see?: string;
}

/** Everything is as it should be; `seen` says what was compared. */
export function pass(seen: string): Diagnosis {
  return { verdict: 'PASS', seen };
}

/** A problem that does not stop pods, or only may. */
export function warn(seen: string, commands: Commands): Diagnosis {
  return { verdict: 'WARN', seen, ...commands };
}

/** A problem that stops pods. */
export function fail(seen: string, commands: Commands): Diagnosis {
  return { verdict: 'FAIL', seen, ...commands };
}

/** What the check needs could not be read; `seen` says why. */
export function unknown(seen: string, commands: Commands = {}): Diagnosis {
  return { verdict: 'UNKNOWN', seen, ...commands };
}

/** One check of the node, listed in checks.ts. */
export interface Check {
  readonly name: string;
  /** Pure. Returns nothing if the check does not apply to this node. */
  diagnose(facts: Facts): readonly Diagnosis[];
}

/** A check with a PowerShell query of its own, in addition to the facts that all checks share. */
export interface QueryCheck<T = unknown> {
  readonly name: string;
  readonly query: Query<T>;
  diagnose(facts: Facts, result: Fact<T>): readonly Diagnosis[];
}

/** Diagnoses a fact. If it is not available, returns UNKNOWN with the reason. */
export function withValue<T>(
  fact: Fact<T>,
  diagnose: (value: T) => readonly Diagnosis[],
  see?: string,
): readonly Diagnosis[] {
  if ('value' in fact) return diagnose(fact.value);
  return [unknown(fact.error, see === undefined ? {} : { see })];
}

/** Why a check of HCN's objects has no result. Check HCN has the reason. */
export const hcnNotAvailable = 'HCN could not be queried';

/** Why a check that compares with the configuration has no result. */
export const noConfiguration = 'no valid configuration for win-hcn';

/** Diagnoses a fact from HCN. If it is not available, check HCN has the reason. */
export function withHcnValue<T>(
  fact: Fact<T>,
  diagnose: (value: T) => readonly Diagnosis[],
): readonly Diagnosis[] {
  return withValue('value' in fact ? fact : { error: hcnNotAvailable }, diagnose);
}
