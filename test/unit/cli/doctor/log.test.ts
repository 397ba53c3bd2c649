import { expect, test } from 'vitest';
import { log, readLoggedRequests } from '../../../../src/cli/doctor/checks/log.ts';
import { diagnosisTexts, facts } from './facts.ts';

test('the log is not checked if win-hcn writes none', () => {
  expect(log.diagnose(facts())).toEqual([]);
});

test('a log that cannot be read is unknown', () => {
  const content = { error: 'cannot read C:\\logs\\win hcn.log: no such file' };
  expect(
    diagnosisTexts(log.diagnose(facts({ log: { path: 'C:\\logs\\win hcn.log', paths: [], content } }))),
  ).toEqual(['UNKNOWN cannot read C:\\logs\\win hcn.log: no such file | see: Get-ChildItem C:\\logs']);
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
