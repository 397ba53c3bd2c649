import assert from 'node:assert/strict';
import type { Timer } from '../../src/hcn/deadline.ts';

/** A clock on which waiting costs nothing: it moves only when there is nothing to do but wait. */
export interface Clock {
  readonly timer: Timer;
  /** Milliseconds since it was made. */
  now(): number;
  /** The timers that were neither cancelled nor due. */
  pending(): number;
  /** The outcome of some work, for which every wait is over when its turn comes. */
  finish<T>(work: Promise<T>): Promise<T>;
}

/** How long work may do something else than wait for a timer, such as importing a module: real milliseconds, and turns. */
const patience = { milliseconds: 1_000, turns: 1_000 };

export function newClock(): Clock {
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  let time = 0;

  const next = () => [...timers].reduce((first, timer) => (timer.due < first.due ? timer : first));
  const advance = (): void => {
    const timer = next();
    timers.delete(timer);
    time = Math.max(time, timer.due);
    timer.call();
  };

  return {
    timer: (milliseconds, call) => {
      const timer = { due: time + milliseconds, call };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    now: () => time,
    pending: () => timers.size,
    finish: async (work) => {
      let isFinished = false;
      const finished = work.finally(() => {
        isFinished = true;
      });
      finished.catch(() => undefined);
      let idle = { since: performance.now(), turns: 0 };
      for (;;) {
        await new Promise(setImmediate);
        if (isFinished) return finished;
        idle = timers.size > 0 ? { since: performance.now(), turns: 0 } : { ...idle, turns: idle.turns + 1 };
        if (timers.size > 0) advance();
        const isStuck = idle.turns > patience.turns && performance.now() - idle.since > patience.milliseconds;
        assert.ok(!isStuck, 'the request waits for nothing and does not end');
      }
    },
  };
}
