import { expect, test } from 'vitest';
import { foldCalls } from '../../../../src/cli/debug/fold-calls.ts';
import type { LoggedCall } from '../../../../src/cli/plugin/run-plugin.ts';

/** Calls as in `open 1`: the name and the milliseconds. */
function folded(...calls: readonly string[]): readonly string[] {
  const logged = calls.map((text): LoggedCall => {
    const [call = '', milliseconds] = text.split(' ');
    return { event: 'call', call, milliseconds: Number(milliseconds), hresult: '0x00000000' };
  });
  return foldCalls(logged).map(
    ({ call, count, milliseconds }) => `${call.event === 'call' ? call.call : ''} ${count} ${milliseconds}`,
  );
}

test('calls without repetition stay as they are', () => {
  expect(folded('open 1', 'query 2', 'open 3')).toEqual(['open 1 1', 'query 1 2', 'open 1 3']);
});

test('a repeated call is one with the time of all', () => {
  expect(folded('open 1', 'query 1', 'query 2', 'query 4', 'open 8')).toEqual([
    'open 1 1',
    'query 3 7',
    'open 1 8',
  ]);
});

test('calls that are made in turn are folded, each with its own time, and what follows is not', () => {
  const polls = Array.from({ length: 12 }, () => ['open 1', 'list 10']).flat();
  expect(folded('create 5', ...polls, 'open 1', 'query 3')).toEqual([
    'create 1 5',
    'open 12 12',
    'list 12 120',
    'open 1 1',
    'query 1 3',
  ]);
});

test('a call with another object or outcome is another call', () => {
  const call: LoggedCall = { event: 'call', call: 'open', milliseconds: 1 };
  const run: LoggedCall = {
    event: 'run',
    plugin: 'host-local',
    command: 'ADD',
    milliseconds: 1,
    exitCode: 0,
  };
  const calls = [
    call,
    { ...call, id: 'a' },
    { ...call, id: 'a', hresult: '0x803b0001' },
    { ...call, id: 'a', error: 'no response yet' },
    run,
    { ...run, exitCode: 1 },
    { ...run, command: 'DEL' },
  ];
  expect(foldCalls(calls).map(({ call: one, count }) => [one, count])).toEqual(calls.map((one) => [one, 1]));
});
