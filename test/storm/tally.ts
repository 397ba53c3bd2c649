/** The counts of a storm's actions and outcomes. */
export interface Tally {
  count(kind: string, outcome: string, number?: number): void;
  /** The numbers by kind and outcome. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function newTally(): Tally {
  const counts = new Map<string, Map<string, number>>();
  return {
    counts,
    count: (kind, outcome, number = 1) => {
      const outcomes = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, outcomes);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + number);
    },
  };
}

/** Adds the counts of one storm to those of all. */
export function addTally(all: Tally, one: Tally): void {
  for (const [kind, outcomes] of one.counts)
    for (const [outcome, number] of outcomes) all.count(kind, outcome, number);
}

/** One line for each kind, with the most frequent outcome first. */
export function tallyLines({ counts }: Tally): readonly string[] {
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, outcomes]) => {
      const sorted = [...outcomes].toSorted(([, one], [, other]) => other - one);
      const total = sorted.reduce((sum, [, count]) => sum + count, 0);
      return `  ${kind}: ${total} (${sorted.map(([outcome, count]) => `${outcome} ${count}`).join(', ')})`;
    });
}
