import type { Timer } from '../../src/hcn/deadline.ts';
import { system } from '../../src/system.ts';
import type { Hns } from '../simulator/hns.ts';

/** The time of win-hcn in a test. */
export interface Clock {
  readonly timer: Timer;
  /** Milliseconds. */
  now(): number;
  /** Registers work that takes time, such as a call to HCN. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** Returns a clock that runs `haste` times faster than real time. */
export function hastyClock(haste: number): Clock {
  return {
    timer: (milliseconds, call) => system.timer(milliseconds / haste, call),
    now: () => system.now() * haste,
    during: (work) => work,
  };
}

/** A clock that stands still while work runs, and jumps to the next time limit when only hanging calls are left. */
export interface EventClock extends Clock {
  /** Resolves when no work is running, including abandoned calls. */
  idle(): Promise<void>;
}

export function eventClock(hns: Pick<Hns, 'standing' | 'nextStanding'>): EventClock {
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
  // Code that awaited a result continues in microtasks, which make the next call or set the next limit before an immediate runs.
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

/** Returns the same functions, which register their calls with a clock. */
export function timed<L extends object>(library: L, clock: Clock): L {
  const known = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
    [name, (...given: unknown[]) => clock.during(call(...given))] as const;
  return Object.fromEntries(Object.entries(library).map(known)) as L;
}
