import type { Mutant } from './mutate.ts';
import type { Outcome, Worker } from './worker.ts';

/** The outcome of a mutant. */
export interface Verdict {
  /** The test that failed, or how its file ended; undefined when the mutant survived. */
  readonly killedBy?: string;
  /** The test file that killed the mutant. */
  readonly killer?: string;
  /** The number of test files that ran. */
  readonly tests: number;
}

export interface Judge {
  /** Runs a mutant with tests. Returns whether one of them notices it. */
  decide(mutant: Mutant, tests: readonly string[]): Promise<Verdict>;
}

export interface JudgeOptions {
  readonly worker: Worker;
  /** The time limit of a test file. */
  readonly testSeconds: number;
  /** The tests that pass without a mutant, and those that do not. All workers share them. */
  readonly stable: Set<string>;
  readonly broken: Set<string>;
  /** Whether the time of the run is over: its workers are stopped, and their results are meaningless. */
  readonly isOver: () => boolean;
}

/**
 * A mutant only counts as killed if the same test file passes without it. Only failed unit tests count at once. All other outcomes may
 * depend on the load of the machine, and must happen twice.
 */
export function newJudge(options: JudgeOptions): Judge {
  const { worker, testSeconds, stable, broken, isOver } = options;
  const secondsOf = () => testSeconds;
  const passes = async (test: string): Promise<boolean> =>
    (await worker.run([test], { secondsOf: () => 120 })).kind === 'passed';
  const isStable = async (test: string): Promise<boolean> => {
    if (stable.has(test)) return true;
    if (broken.has(test) || isOver()) return false;
    const passed = (await passes(test)) || (await passes(test));
    if (!isOver()) (passed ? stable : broken).add(test);
    return passed;
  };
  const isConfirmed = async (mutant: Mutant, outcome: Failed): Promise<boolean> => {
    const { test } = outcome;
    if (!(await isStable(test))) return false;
    if (outcome.kind === 'failed' && test.startsWith('test/unit/') && outcome.what !== outsideOfTests)
      return true;
    return (await worker.run([test], { mutant, secondsOf })).kind !== 'passed';
  };
  return {
    decide: async (mutant, tests) => {
      let left = tests.filter((test) => !broken.has(test));
      let count = 0;
      while (left.length > 0 && !isOver()) {
        const outcome = await worker.run(left, { mutant, secondsOf });
        if (outcome.kind === 'passed') return { tests: count + left.length };
        const place = left.indexOf(outcome.test);
        count += place + 1;
        if (await isConfirmed(mutant, outcome))
          return { killedBy: describe(outcome), killer: outcome.test, tests: count };
        left = left.slice(place + 1);
      }
      return { tests: count };
    },
  };
}

type Failed = Exclude<Outcome, { kind: 'passed' }>;

export const outsideOfTests = 'an error outside of a test';

function describe(outcome: Failed): string {
  if (outcome.kind === 'stuck') return `${outcome.test}: hangs`;
  return `${outcome.test}: ${outcome.what}`;
}
