import type { Around } from './around-calls.ts';
import { HcnTimeout } from './errors.ts';

/** Waits for the given time; `cancel` ends the wait without a call. */
export type Timer = (milliseconds: number, call: () => void) => { readonly cancel: () => void };

/** The outcome of some work, or the given error when it takes longer than `milliseconds`. */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  timer: Timer,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = timer(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(timeout.cancel);
  });
}

/** Does some work, or throws what `late` makes of the seconds it was given. */
export type Limit = <T>(work: () => Promise<T>, late: (seconds: number) => Error) => Promise<T>;

/** How long a request may still wait once it was late: what it took should go back, but not at any price. */
const graceMilliseconds = 5_000;

/**
 * The limit for the calls of one request: each may take `seconds`, all of them together twice as long, and those that follow the
 * first late one five seconds together. A runtime waits for the answer, and repeats what failed.
 */
export function newLimit(seconds: number, timer: Timer, now: () => number): Limit {
  let left = 2 * seconds * 1000;
  let grace = graceMilliseconds;
  return async (work, late) => {
    const allowed = Math.min(seconds * 1000, left);
    let isLate = allowed <= 0;
    const giveUp = () => {
      isLate = true;
      return late(Math.ceil(allowed / 100) / 10);
    };
    const started = now();
    try {
      if (isLate) throw giveUp();
      return await within(work(), allowed, timer, giveUp);
    } finally {
      left -= now() - started;
      if (isLate) {
        left = Math.min(Math.max(left, 0) + grace, graceMilliseconds);
        grace = 0;
      }
    }
  };
}

/** Calls to HCN that fail with HcnTimeout when they are late. */
export function hcnWithin(limit: Limit): Around {
  return ({ name }, make) => limit(make, (seconds) => new HcnTimeout(name, seconds));
}
