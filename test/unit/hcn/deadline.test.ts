import { describe, expect, test } from 'vitest';
import { limitsOf, newLimit, statusLimits, type Timer } from '../../../src/hcn/deadline.ts';

/** A clock that goes on only when a test says so, or somebody waits for a timer. */
function newClock() {
  let milliseconds = 0;
  const timer: Timer = (wait, call) => {
    let cancelled = false;
    queueMicrotask(() =>
      setTimeout(() => {
        if (cancelled) return;
        milliseconds += wait;
        call();
      }),
    );
    return {
      cancel: () => {
        cancelled = true;
      },
    };
  };
  return {
    timer,
    now: () => milliseconds,
    pass: (seconds: number) => {
      milliseconds += seconds * 1000;
    },
  };
}

const hanging = () => new Promise<never>(() => undefined);
const late = (seconds: number) => new Error(`late after ${seconds} s`);

describe('a limit of 30 s', () => {
  test('hands over what a call answers, and what it throws', async () => {
    const { timer, now } = newClock();
    const limit = newLimit(limitsOf(30), timer, now);
    await expect(limit(async () => 'answer', late)).resolves.toBe('answer');
    await expect(limit(() => Promise.reject(new Error('refused')), late)).rejects.toThrow('refused');
  });

  test('ends a call that hangs after 30 s', async () => {
    const { timer, now } = newClock();
    await expect(newLimit(limitsOf(30), timer, now)(hanging, late)).rejects.toThrow('late after 30 s');
    expect(now()).toBe(30_000);
  });

  test('leaves 5 s altogether for what follows a late call, and makes no call after that', async () => {
    const { timer, now, pass } = newClock();
    const limit = newLimit(limitsOf(30), timer, now);
    await expect(limit(hanging, late)).rejects.toThrow('late after 30 s');
    await expect(limit(async () => pass(2), late)).resolves.toBeUndefined();
    await expect(limit(hanging, late)).rejects.toThrow('late after 3 s');
    let made = false;
    await expect(limit(async () => (made = true), late)).rejects.toThrow('late after 0 s');
    expect([now(), made]).toEqual([35_000, false]);
  });

  test('leaves 60 s for what calls take beyond a second each, and then 5 s more', async () => {
    const { timer, now, pass } = newClock();
    const limit = newLimit(limitsOf(30), timer, now);
    for (let call = 0; call < 5; call += 1) await limit(async () => pass(12), late);
    await expect(limit(hanging, late)).rejects.toThrow('late after 5 s');
    expect(now()).toBe(65_000);
    await expect(limit(hanging, late)).rejects.toThrow('late after 5 s');
    expect(now()).toBe(70_000);
  });

  test('does not count calls of a second or less, as a GC makes for each of many endpoints', async () => {
    const { timer, now, pass } = newClock();
    const limit = newLimit(limitsOf(30), timer, now);
    for (let call = 0; call < 1000; call += 1) await limit(async () => pass(1), late);
    await expect(limit(async () => 'answer', late)).resolves.toBe('answer');
  });
});

test('STATUS has one second for all of its calls', async () => {
  const { timer, now, pass } = newClock();
  const limit = newLimit(statusLimits, timer, now);
  await limit(async () => pass(0.4), late);
  await expect(limit(hanging, late)).rejects.toThrow('late after 0.6 s');
  expect(now()).toBe(1000);
});
