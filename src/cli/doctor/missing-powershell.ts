import type { Fact, Query } from '../terminal/powershell.ts';
import type { Facts } from './facts.ts';

/** The results of the checks' own queries. */
export type QueryResults = ReadonlyMap<Query<unknown>, Fact<unknown>>;

/** What checks diagnose. */
export interface Gathered {
  readonly facts: Facts;
  readonly results: QueryResults;
}

/** The error of each query if PowerShell runs no script: doctor reports the reason once, for all checks. */
export const noPowerShell = 'no PowerShell';

/** Why PowerShell ran no script at all; undefined if one ran, or if scripts failed for different reasons. */
export function findPowerShellProblem({ facts, results }: Gathered): string | undefined {
  const [first, ...others] = [facts.containerd.commands, facts.files, ...results.values()].map(errorOf);
  return others.every((error) => error === first) ? first : undefined;
}

function errorOf(fact: Fact<unknown>): string | undefined {
  return 'error' in fact ? fact.error : undefined;
}

/** The same without the reason, which is reported once. */
export function withoutReason({ facts, results }: Gathered): Gathered {
  const error = { error: noPowerShell };
  const { containerd } = facts;
  return {
    facts: { ...facts, containerd: { ...containerd, commands: error }, files: error },
    results: new Map([...results.keys()].map((query) => [query, error])),
  };
}
