import { expect, test } from 'vitest';
import { poll } from '../../../src/steps/poll.ts';

/** Polls for what is there after some looks, on a clock of its own; answers what was seen, and when looks were taken. */
async function polled(milliseconds: number, thereAfter: number) {
  let time = 1_000;
  const looks: number[] = [];
  const host = {
    now: () => time,
    timer: (wait: number, call: () => void) => {
      time += wait;
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
  };
  const seen = await poll(host, milliseconds, async () => {
    looks.push(time - 1_000);
    return looks.length > thereAfter ? 'seen' : undefined;
  });
  return { seen, looks };
}

test('what is there is seen at once', async () => {
  expect(await polled(1_000, 0)).toEqual({ seen: 'seen', looks: [0] });
  expect(await polled(0, 0)).toEqual({ seen: 'seen', looks: [0] });
});

test('what comes is seen a quarter of a second later at most', async () => {
  expect(await polled(1_000, 2)).toEqual({ seen: 'seen', looks: [0, 250, 500] });
});

test('what does not come in time is looked for until the end', async () => {
  expect(await polled(600, 99)).toEqual({ seen: undefined, looks: [0, 250, 500, 750] });
  expect(await polled(0, 99)).toEqual({ seen: undefined, looks: [0] });
});
