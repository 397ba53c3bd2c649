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

test.each([
  ['exists is returned at once', 1_000, 0, 'value', [0]],
  ['exists is returned without a time limit to wait for', 0, 0, 'value', [0]],
  ['appears is returned within a quarter of a second', 1_000, 2, 'value', [0, 250, 500]],
  ['appears at the time limit is returned', 500, 2, 'value', [0, 250, 500]],
  ['does not appear is polled until the time limit', 600, 99, undefined, [0, 250, 500, 750]],
  ['does not appear is polled once without time', 0, 99, undefined, [0]],
])('a value that %s', async (_, milliseconds, appearsAfter, value, attempts) => {
  expect(await polled(milliseconds, appearsAfter)).toEqual({ value, attempts });
});
