import type { Timer } from '../../src/hcn/deadline.ts';
import { system } from '../../src/system.ts';
import type { Hns } from '../simulator/hns.ts';

/** What time is to win-hcn in a test. */
export interface Clock {
  readonly timer: Timer;
  /** Milliseconds. */
  now(): number;
  /** Tells the clock of work that takes time by itself, such as a call to HCN. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** Time limits pass `haste` times faster than they say. */
export function hastyClock(haste: number): Clock {
  return {
    timer: (milliseconds, call) => system.timer(milliseconds / haste, call),
    now: () => system.now() * haste,
    during: (work) => work,
  };
}

/** A clock that stands still while anything is done, and jumps to the next time limit once all that goes on is calls that hang. */
export interface EventClock extends Clock {
  /** Until nothing is done any more, calls that were given up included. */
  idle(): Promise<void>;
}

export function eventClock(hns: Hns): EventClock {
  let now = 0;
  let running = 0;
  let waiting: (() => void)[] = [];
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();

  const jump = (): void => {
    const [first] = [...timers].toSorted((one, other) => one.due - other.due);
    if (running > hns.standing.length || first === undefined) return;
    timers.delete(first);
    now = Math.max(now, first.due);
    first.call();
    soon();
  };
  // Whoever waited for what has just come goes on in microtasks, and makes a next call or sets a next limit. All of them run before an
  // immediate does.
  const soon = (): void => {
    setImmediate(jump);
  };
  const watch = (): Promise<void> => hns.nextStanding().then(soon).then(watch);
  void watch();

  const done = (): void => {
    running -= 1;
    soon();
    if (running > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    timer: (milliseconds, call) => {
      const entry = { due: now + milliseconds, call };
      timers.add(entry);
      soon();
      return { cancel: () => timers.delete(entry) };
    },
    now: () => now,
    during: (work) => {
      running += 1;
      return work.finally(done);
    },
    idle: async () => {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** The same functions, with their calls known to a clock. */
export function timed<L extends object>(library: L, clock: Clock): L {
  const known = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
    [name, (...given: unknown[]) => clock.during(call(...given))] as const;
  return Object.fromEntries(Object.entries(library).map(known)) as L;
}
