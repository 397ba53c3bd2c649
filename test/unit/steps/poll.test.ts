import { expect, test } from 'vitest';
import { poll } from '../../../src/steps/changes.ts';

/** Polls for a value that appears after some attempts, on its own clock. Returns the value and the times of the attempts. */
async function polled(milliseconds: number, appearsAfter: number) {
  let time = 1_000;
  const attempts: number[] = [];
  const clock = {
    now: () => time,
    timer: (wait: number, call: () => void) => {
      setImmediate(() => {
        time += wait;
        call();
      });
      return { cancel: () => undefined };
    },
  };
  const value = await poll(clock, milliseconds, async () => {
    attempts.push(time - 1_000);
    return attempts.length > appearsAfter ? 'value' : undefined;
  });
  return { value, attempts };
}

test('an existing value is returned at once', async () => {
  expect(await polled(1_000, 0)).toEqual({ value: 'value', attempts: [0] });
  expect(await polled(0, 0)).toEqual({ value: 'value', attempts: [0] });
});

test('a value that appears is returned within a quarter of a second', async () => {
  expect(await polled(1_000, 2)).toEqual({ value: 'value', attempts: [0, 250, 500] });
});

test('a value that does not appear is polled until the time limit', async () => {
  expect(await polled(600, 99)).toEqual({ value: undefined, attempts: [0, 250, 500, 750] });
  expect(await polled(0, 99)).toEqual({ value: undefined, attempts: [0] });
});
