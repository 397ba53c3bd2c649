import { describe, expect, test } from 'vitest';
import { loggedPods } from '../../../../../src/cli/inventory/pods/logged-pods.ts';
import { podName } from '../../../../../src/cli/inventory/pods/pod-name.ts';

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
const web = { container: 'c0ffee', name: 'shop/web', added: time };

describe('the pods of a log are those of', () => {
  test.each([
    ['an ADD that succeeded', request() + answer(0)],
    ['an ADD without a result, which was killed', request()],
    ['an ADD between lines that are not log entries', `{"event":"request","pod":\n\n[]\n${request()}x\n`],
  ])('%s', (_, log) => {
    expect(loggedPods(log)).toEqual([web]);
  });

  test.each([
    ['an ADD that failed', request() + answer(101)],
    ['another command', request({ command: 'DEL' })],
    ['an ADD without a pod', request({ pod: undefined })],
    ['an ADD in a line of more than 64 KiB', request({ padding: 'x'.repeat(64 * 1024) })],
    ['an ADD with an empty pod', request({ pod: '' })],
    ['an ADD without a container', request({ containerId: undefined })],
    ['an ADD without a time', request({ time: 1 })],
    ['an ADD with control characters', request({ pod: 'shop/web\u001b[2J' })],
    ['an ADD with a line break in the namespace', request({ pod: 'shop\n/web' })],
  ])('no %s', (_, log) => {
    expect(loggedPods(log)).toEqual([]);
  });

  test('all ADDs of a container, in the order of the log', () => {
    const other = request({ request: 'r2', pod: '/web' });
    expect(loggedPods(request() + other + answer(0))).toEqual([web, { ...web, name: 'web' }]);
  });
});

test.each([
  ['shop', 'web', 'shop/web'],
  ['', 'web', 'web'],
  ['shop', '', undefined],
  ['shop', 'web/api', undefined],
  ['shop', 'web api', undefined],
  ['shop/', 'web', undefined],
  ['shop', '\u202ebew', undefined],
  ['n'.repeat(63), 'p'.repeat(253), `${'n'.repeat(63)}/${'p'.repeat(253)}`],
  ['n'.repeat(64), 'web', undefined],
  ['shop', 'p'.repeat(254), undefined],
])('the pod name of namespace %j and name %j', (namespace, name, expected) => {
  expect(podName(namespace, name)).toBe(expected);
});
