import { expect, test } from 'vitest';
import { loggedPods } from '../../../../src/cli/inventory/read-pods.ts';

const time = '2026-03-01T10:00:00.000Z';
const line = (entry: object) => `${JSON.stringify(entry)}\n`;
const request = (entry: object = {}) =>
  line({
    time,
    request: 'r1',
    event: 'request',
    command: 'ADD',
    containerId: 'C0FFEE',
    pod: 'shop/web',
    ...entry,
  });
const answer = (code: number) => line({ time, request: 'r1', event: 'answer', milliseconds: 1, code });
const web = 'shop/web';
const longest = `${'n'.repeat(63)}/${'p'.repeat(253)}`;

test.each<[string, string, readonly string[]]>([
  ['an ADD that succeeded', request() + answer(0), [web]],
  ['an ADD without a result, which was killed', request(), [web]],
  [
    'an ADD between lines that are not log entries',
    `{"event":"request","pod":\n\n[]\n${request()}x\n`,
    [web],
  ],
  ['an ADD without a namespace', request({ pod: '/web' }), ['web']],
  ['an ADD with the longest names', request({ pod: longest }), [longest]],
  [
    'two ADDs, in the order of the log',
    request() + request({ request: 'r2', pod: 'a/b' }) + answer(0),
    [web, 'a/b'],
  ],
  ['an ADD that failed', request() + answer(101), []],
  ['another command', request({ command: 'DEL' }), []],
  ['an ADD without a pod', request({ pod: undefined }), []],
  ['an ADD in a line of more than 64 KiB', request({ padding: 'x'.repeat(64 * 1024) }), []],
  ['an ADD with an empty pod', request({ pod: '' }), []],
  ['an ADD without a container', request({ containerId: undefined }), []],
  ['an ADD without a time', request({ time: 1 }), []],
  ['an ADD with control characters', request({ pod: 'shop/web\u001b[2J' }), []],
  ['an ADD with a space in the namespace', request({ pod: 'the shop/web' }), []],
  ['an ADD with a path', request({ pod: 'shop/web/api' }), []],
  ['an ADD with too long a name', request({ pod: `${longest}p` }), []],
  ['an ADD with too long a namespace', request({ pod: `n${longest}` }), []],
])('the pods of a log with %s', (_, log, names) => {
  expect(loggedPods(log)).toEqual(names.map((name) => ({ container: 'c0ffee', name, added: time })));
});
