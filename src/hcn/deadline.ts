import type { AroundHcn } from './around-calls.ts';
import { HcnTimeout } from './errors.ts';

/** Waits for the given time; `cancel` ends the wait without a call. */
export type Timer = (milliseconds: number, call: () => void) => { readonly cancel: () => void };

/** Does some work, or throws what `late` makes of the seconds it was given. */
export type Limit = <T>(work: () => Promise<T>, late: (seconds: number) => Error) => Promise<T>;

/** How long the calls of one request may take, in seconds. */
export interface Limits {
  readonly each: number;
  /** All of them together, not counting the first `uncounted` of each. */
  readonly together: number;
  readonly uncounted: number;
}

/** The limits where each call may take so many seconds: many that are quick are no reason to give up. */
export function limitsOf(seconds: number): Limits {
  return { each: seconds, together: 2 * seconds, uncounted: 1 };
}

/** Those of STATUS, which runtimes ask for every few seconds. */
export const statusLimits: Limits = { each: 1, together: 1, uncounted: 0 };

/** How long a request may still wait once it was late: what it took should go back, but not at any price. */
const graceMilliseconds = 5_000;

/**
 * The limit for the calls of one request. Those that follow the first late one have five seconds together; a call there is no time
 * for is not made, and `late` gets 0. A runtime waits for the answer, and repeats what failed.
 */
export function newLimit({ each, together, uncounted }: Limits, timer: Timer, now: () => number): Limit {
  let left = together * 1000;
  let grace = graceMilliseconds;
  return async (work, late) => {
    const allowed = Math.max(0, Math.min(each * 1000, left));
    let isLate = allowed === 0;
    const giveUp = () => {
      isLate = true;
      return late(Math.ceil(allowed / 100) / 10);
    };
    const started = now();
    try {
      if (isLate) throw giveUp();
      return await within(work(), allowed, timer, giveUp);
    } finally {
      const free = grace === 0 ? 0 : uncounted * 1000;
      left -= Math.max(0, now() - started - free);
      if (isLate) {
        left = Math.min(Math.max(left, 0) + grace, graceMilliseconds);
        grace = 0;
      }
    }
  };
}

/** The outcome of some work, or the given error when it takes longer than `milliseconds`. */
function within<T>(work: Promise<T>, milliseconds: number, timer: Timer, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = timer(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(timeout.cancel);
  });
}

/** Calls to HCN that fail with HcnTimeout when they are late. */
export function hcnWithin(limit: Limit): AroundHcn {
  return ({ name }, make) => limit(make, (seconds) => new HcnTimeout(name, seconds));
}
