import { describe, expect, test } from 'vitest';
import {
  limitHcnCalls,
  limitsInTotal,
  limitsPerCall,
  newLimit,
  type Timer,
} from '../../../src/hcn/deadline.ts';

/** A clock that advances only in `pass`, and to the next timer when only timers are left. */
function newClock() {
  let milliseconds = 0;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  const jump = () => {
    const [first] = [...timers].toSorted((one, other) => one.due - other.due);
    if (first === undefined) return;
    timers.delete(first);
    milliseconds = Math.max(milliseconds, first.due);
    first.call();
  };
  const timer: Timer = (wait, call) => {
    const entry = { due: milliseconds + wait, call };
    timers.add(entry);
    queueMicrotask(() => setTimeout(jump));
    return { cancel: () => timers.delete(entry) };
  };
  return {
    timer,
    now: () => milliseconds,
    pass: (seconds: number) => {
      milliseconds += seconds * 1000;
    },
  };
}

function limitOf30Seconds() {
  const { timer, now, pass } = newClock();
  return { limit: newLimit(limitsPerCall(30), timer, now), now, pass };
}

const hanging = () => new Promise<never>(() => undefined);
const late = (seconds: number) => new Error(`late after ${seconds} s`);

describe('a limit of 30 s', () => {
  test('passes on the result and the error of a call', async () => {
    const { limit } = limitOf30Seconds();
    await expect(limit(async () => 'answer', late)).resolves.toBe('answer');
    await expect(limit(() => Promise.reject(new Error('refused')), late)).rejects.toThrow('refused');
  });

  test('ends a call that hangs after 30 s', async () => {
    const { limit, now } = limitOf30Seconds();
    await expect(limit(hanging, late)).rejects.toThrow('late after 30 s');
    expect(now()).toBe(30_000);
  });

  test('leaves 5 s in total and 2.5 s for each call after a timeout, and then makes no call', async () => {
    const { limit, now, pass } = limitOf30Seconds();
    await expect(limit(hanging, late)).rejects.toThrow('late after 30 s');
    await expect(limit(async () => pass(2), late)).resolves.toBeUndefined();
    await expect(limit(hanging, late)).rejects.toThrow('late after 2.5 s');
    await expect(limit(hanging, late)).rejects.toThrow('late after 0.5 s');
    let made = false;
    await expect(limit(async () => (made = true), late)).rejects.toThrow('late after 0 s');
    expect([now(), made]).toEqual([35_000, false]);
  });

  test('allows 60 s for all calls, not counting the first second of each, and then 5 s more', async () => {
    const { limit, now, pass } = limitOf30Seconds();
    for (let call = 0; call < 5; call += 1) await limit(async () => pass(12), late);
    await expect(limit(hanging, late)).rejects.toThrow('late after 5 s');
    expect(now()).toBe(65_000);
    for (const _ of [1, 2]) await expect(limit(hanging, late)).rejects.toThrow('late after 2.5 s');
    expect(now()).toBe(70_000);
  });

  test('reports tenths of a second if less than a second was left', async () => {
    const { limit, pass } = limitOf30Seconds();
    for (let call = 0; call < 7; call += 1) await limit(async () => pass(9.5), late);
    await expect(limit(hanging, late)).rejects.toThrow('late after 0.5 s');
  });

  test('leaves 5 s even if a call exceeded the total', async () => {
    const { limit, pass } = limitOf30Seconds();
    await limit(async () => pass(100), late);
    await expect(limit(hanging, late)).rejects.toThrow('late after 0 s');
    for (const _ of [1, 2]) await expect(limit(hanging, late)).rejects.toThrow('late after 2.5 s');
  });
});

describe('a limit of 30 s, for calls at once', () => {
  /** Runs two calls of 20 s, the second 10 s after the first. */
  async function overlap({ limit, pass }: ReturnType<typeof limitOf30Seconds>) {
    const ends: (() => void)[] = [];
    const call = () => limit(() => new Promise<void>((resolve) => ends.push(resolve)), late);
    const first = call();
    pass(10);
    const second = call();
    pass(10);
    ends[0]?.();
    await first;
    pass(10);
    ends[1]?.();
    await second;
  }

  test('counts the time in which several run once', async () => {
    const limited = limitOf30Seconds();
    await overlap(limited);
    await overlap(limited);
    await expect(limited.limit(hanging, late)).rejects.toThrow('late after 2 s');
  });

  test('leaves 5 s after the first timeout, not counting the calls that run at that moment', async () => {
    const { limit, now, pass } = limitOf30Seconds();
    const first = limit(hanging, late);
    pass(10);
    const second = limit(hanging, late);
    const secondEnds = expect(second).rejects.toThrow('late after 30 s');
    await expect(first).rejects.toThrow('late after 30 s');
    pass(4);
    for (const _ of [1, 2]) await expect(limit(hanging, late)).rejects.toThrow('late after 2.5 s');
    expect(now()).toBe(39_000);
    await secondEnds;
    expect(now()).toBe(40_000);
    await expect(limit(hanging, late)).rejects.toThrow('late after 0 s');
  });
});

test('a total limit of 10 s, as for STATUS, ends the call that exceeds it', async () => {
  const { timer, now, pass } = newClock();
  const limit = newLimit(limitsInTotal(10), timer, now);
  await limit(async () => pass(4), late);
  await expect(limit(hanging, late)).rejects.toThrow('late after 6 s');
  expect(now()).toBe(10_000);
});

describe('a call with a limit', () => {
  test.each([
    ['returns', async () => 1],
    ['fails', () => Promise.reject(new Error('refused'))],
  ])('that %s leaves no timer', async (_, work) => {
    const timers: string[] = [];
    const timer = (milliseconds: number) => {
      timers.push(`start ${milliseconds}`);
      return { cancel: () => timers.push('cancel') };
    };
    await newLimit(limitsPerCall(30), timer, () => 0)(work, late).catch(() => undefined);
    expect(timers).toEqual(['start 30000', 'cancel']);
  });

  test.each<readonly [string, string, () => Promise<{ readonly hresult: number }>]>([
    ['succeeded', 'with success', async () => ({ hresult: 0 })],
    ['succeeded', 'with another success', async () => ({ hresult: 1 })],
    ['failed', 'with a failure', async () => ({ hresult: 0x80004005 })],
    ['timed out', 'late', hanging],
    ['timed out', 'with an exception', () => Promise.reject(new Error('broken'))],
  ])('is reported as %s if it ends %s', async (end, _, make) => {
    const { timer, now } = newClock();
    const events: unknown[] = [];
    const around = limitHcnCalls(newLimit(limitsPerCall(30), timer, now), (call, limit) => {
      events.push([call, limit]);
      return (how) => events.push(how);
    });
    const call = { name: 'HcnOpenNetwork', id: 'x' };
    await around(call, async () => ({ value: undefined, errorRecord: undefined, ...(await make()) })).catch(
      () => undefined,
    );
    expect(events).toEqual([[call, 30_000], end]);
  });

  test('that is not made is not reported', async () => {
    const { timer, now, pass } = newClock();
    const events: unknown[] = [];
    const limit = newLimit(limitsPerCall(30), timer, now);
    await limit(async () => pass(100), late);
    const around = limitHcnCalls(limit, (call) => {
      events.push(call);
      return (how) => events.push(how);
    });
    await expect(around({ name: 'HcnOpenNetwork' }, hanging)).rejects.toThrow('was skipped');
    expect(events).toEqual([]);
  });
});
