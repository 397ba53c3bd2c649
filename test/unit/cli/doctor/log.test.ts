import { expect, test } from 'vitest';
import { log, readLoggedRequests } from '../../../../src/cli/doctor/checks/log.ts';
import { diagnosed, snapshot } from './snapshot.ts';

test('the log is not checked if win-hcn writes none', () => {
  expect(log.diagnose(snapshot())).toEqual([]);
});

test('a log that cannot be read is unknown', () => {
  const content = { error: 'cannot read C:\\logs\\win hcn.log: no such file' };
  expect(diagnosed(log, snapshot({ log: { path: 'C:\\logs\\win hcn.log', paths: [], content } }))).toEqual([
    'UNKNOWN cannot read C:\\logs\\win hcn.log: no such file',
  ]);
});

test('a logged request has its command if the log contains it', () => {
  const text = [
    '{"time":"t1","request":"a","event":"request","command":"ADD"}',
    '{"time":"t2","request":"b","event":"answer","code":0}',
    'not JSON',
    '5',
    '{"time":"t3","request":"a","event":"answer","code":11,"msg":"late"}',
    '{"time":"t4","request":"a","event":"answ',
  ].join('\n');
  expect(readLoggedRequests(text)).toEqual([
    { time: 't2', command: '', code: 0, message: '' },
    { time: 't3', command: 'ADD', code: 11, message: 'late' },
  ]);
});

test.each([
  ['24 hours', '2026-01-01T12:00:00.000Z', 1],
  ['more than 24 hours', '2026-01-01T11:59:59.999Z', 0],
])('a request %s ago counts: %s', (_, time, expected) => {
  const value = JSON.stringify({ time, request: 'a', event: 'answer', code: 0 });
  const given = snapshot({ log: { path: 'C:\\win-hcn.log', paths: [], content: { value } } });
  expect(log.diagnose({ ...given, time: new Date('2026-01-02T12:00:00Z') })).toHaveLength(expected);
});

test.each([
  ['the last three ADDs failed', ['ADD 0', 'ADD 11', 'DEL 0', 'ADD 11', 'DEL 0', 'ADD 11', 'DEL 0'], 'FAIL'],
  ['only two ADDs failed', ['ADD 11', 'DEL 0', 'ADD 11', 'DEL 0'], 'WARN'],
  ['an ADD succeeded since', ['ADD 11', 'ADD 11', 'ADD 11', 'ADD 0'], 'WARN'],
])('if %s: %s', (_, requests, verdict) => {
  const value = requests
    .flatMap((one, index) => {
      const [command, code] = one.split(' ');
      const line = { time: '2030-01-01T12:00:00.000Z', request: index };
      return [
        { ...line, event: 'request', command },
        { ...line, event: 'answer', code: Number(code), msg: 'late' },
      ];
    })
    .map((line) => JSON.stringify(line))
    .join('\n');
  const given = snapshot({ log: { path: 'C:\\win-hcn.log', paths: [], content: { value } } });
  expect(log.diagnose(given)).toMatchObject([{ verdict }]);
});
