import { HcnTimeout } from './errors.ts';
import { isFailure } from './hresults.ts';
import type { HcnCall, HcnInterceptor } from './library.ts';

/** Calls back after the given time, unless `cancel` is called first. */
export type Timer = (milliseconds: number, callback: () => void) => { readonly cancel: () => void };

/** Receives each call with its time limit in milliseconds, and returns what to call when it ends. */
export type OnCall = (
  call: Pick<HcnCall, 'name' | 'id'>,
  limit: number,
) => (end: 'succeeded' | 'failed' | 'timed out') => void;

/** Runs `work`, or throws the error that `newError` returns for its limit in seconds. */
export type Limit = <T>(
  work: (milliseconds: number) => Promise<T>,
  newError: (seconds: number) => Error,
) => Promise<T>;

/** The time limits for the calls of one request, in seconds. */
export interface Limits {
  readonly perCall: number;
  /** For all calls, not counting the first `uncounted` seconds of each. */
  readonly total: number;
  readonly uncounted: number;
}

/** Limits for calls of this many seconds each. Quick calls are not counted, however many. */
export function limitsPerCall(seconds: number): Limits {
  return { perCall: seconds, total: 2 * seconds, uncounted: 1 };
}

/** Limits for a request whose calls may take this many seconds in total. */
export function limitsInTotal(seconds: number): Limits {
  return { perCall: seconds, total: seconds, uncounted: 0 };
}

/** The time for rollback after the first timeout: in total, and for each call. */
const graceTotal = 5_000;
const gracePerCall = graceTotal / 2;

/**
 * The limit for the calls of one request. Time in which several calls run counts once. After the first timeout the remaining calls have
 * 5 s in total and 2.5 s each, because the runtime waits and retries; calls that run at that moment keep their limits and do not count
 * towards the 5 s. A call without time left is not made, and `newError` gets 0.
 */
export function newLimit({ perCall, total, uncounted }: Limits, timer: Timer, now: () => number): Limit {
  let left = total * 1000;
  let grace = graceTotal;
  let counted = now();
  const running = new Set<{ readonly countsFrom: number }>();
  const countUntilNow = () => {
    const from = Math.min(...[...running].map(({ countsFrom }) => countsFrom));
    left -= Math.max(0, now() - Math.max(counted, from));
    counted = now();
  };
  return async (work, newError) => {
    countUntilNow();
    const isGrace = grace === 0;
    const longest = isGrace ? gracePerCall : perCall * 1000;
    const allowed = Math.max(0, Math.min(longest, left));
    let isTimedOut = allowed === 0;
    const timeOut = () => {
      isTimedOut = true;
      return newError(Math.ceil(allowed / 100) / 10);
    };
    const call = { countsFrom: now() + (isGrace ? 0 : uncounted * 1000) };
    running.add(call);
    try {
      if (isTimedOut) throw timeOut();
      return await rejectAfter(work(allowed), allowed, timer, timeOut);
    } finally {
      countUntilNow();
      running.delete(call);
      if (isTimedOut && grace > 0) {
        left = graceTotal;
        grace = 0;
        running.clear();
      }
    }
  };
}

/** The result of `work`; rejects if it takes longer than `milliseconds`. */
function rejectAfter<T>(
  work: Promise<T>,
  milliseconds: number,
  timer: Timer,
  newError: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = timer(milliseconds, () => reject(newError()));
    work.then(resolve, reject).finally(timeout.cancel);
  });
}

/** Makes HCN calls fail with HcnTimeout after their limit. */
export function limitHcnCalls(limit: Limit, onCall?: OnCall): HcnInterceptor {
  return (call, make) => {
    const { work, ended } = observed(onCall, call, make, ({ hresult }) => !isFailure(hresult));
    return ended(limit(work, (seconds) => new HcnTimeout(call.name, seconds)));
  };
}

/** Work that reports its start to `onCall`. `ended` reports its end; the caller may stop waiting earlier. */
export function observed<T>(
  onCall: OnCall | undefined,
  call: Parameters<OnCall>[0],
  make: () => Promise<T>,
  isSuccess: (result: T) => boolean = () => true,
): {
  readonly work: (milliseconds: number) => Promise<T>;
  readonly ended: (limited: Promise<T>) => Promise<T>;
} {
  if (onCall === undefined) return { work: make, ended: (limited) => limited };
  let end: ReturnType<OnCall> = () => undefined;
  const work = (milliseconds: number): Promise<T> => {
    end = onCall(call, milliseconds);
    return make();
  };
  const ended = async (limited: Promise<T>): Promise<T> => {
    try {
      const result = await limited;
      end(isSuccess(result) ? 'succeeded' : 'failed');
      return result;
    } catch (error) {
      end('timed out');
      throw error;
    }
  };
  return { work, ended };
}
