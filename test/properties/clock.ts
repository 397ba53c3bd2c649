import assert from 'node:assert/strict';
import type { Timer } from '../../src/hcn/deadline.ts';

/** A clock on which waiting takes no time: it advances only when all work is waiting. */
export interface Clock {
  readonly timer: Timer;
  /** Milliseconds since its start. */
  now(): number;
  /** The number of pending timers. */
  pending(): number;
  /** Returns the outcome of some work and ends its waits in order. */
  finish<T>(work: Promise<T>): Promise<T>;
}

/** The limit for work that is not waiting for a timer, such as importing a module: in real milliseconds, and in turns. */
const patience = { milliseconds: 1_000, turns: 1_000 };

/** Advances when no timer was added for this many turns: calls that are not waiting take some. */
export function newClock(quietTurns = 0): Clock {
  let quiet = 0;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  let time = 0;

  const next = () => [...timers].reduce((first, timer) => (timer.due < first.due ? timer : first));
  const advance = (): void => {
    const timer = next();
    timers.delete(timer);
    time = Math.max(time, timer.due);
    quiet = 0;
    timer.call();
  };

  return {
    timer: (milliseconds, call) => {
      const timer = { due: time + milliseconds, call };
      timers.add(timer);
      quiet = 0;
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
        if (timers.size > 0 && ++quiet > quietTurns) advance();
        const isStuck = idle.turns > patience.turns && performance.now() - idle.since > patience.milliseconds;
        assert.ok(!isStuck, 'the request waits for nothing and does not end');
      }
    },
  };
}
