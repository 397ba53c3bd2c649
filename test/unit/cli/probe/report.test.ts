import { describe, expect, test } from 'vitest';
import { compareReports, readObserved } from '../../../../src/cli/probe/compare.ts';
import { type Finding, type Report, reportLog } from '../../../../src/cli/probe/report.ts';
import { reportText } from '../../../../src/cli/probe/report-text.ts';
import type { Session } from '../../../../src/cli/session.ts';

const session = (width = Number.POSITIVE_INFINITY) =>
  ({ width, style: (style: string, text: string) => `<${style}>${text}` }) as Session;
const row = (id: string, verdict: Finding['verdict'], more: Partial<Finding> = {}): Finding => ({
  id,
  claim: `claim of ${id}`,
  verdict,
  ...more,
});
const rows = [
  row('one', 'holds', { observed: 'a' }),
  row('two', 'does not hold', { observed: 'b', reason: 'not shown' }),
  row('three', 'not tried', { reason: 'requires --nat' }),
  row('four', 'not tried'),
  row('five\u001b', 'holds', { observed: 'c' }),
];
const report: Report = { winHcn: '1.0.0', time: '2026-03-01T12:00:00.000Z', rows, remaining: [] };
const lines = (given: Parameters<typeof reportText>[0], width?: number) =>
  reportText(given, session(width)).split('\n');

describe('the report has', () => {
  const table = [
    '<bold>verdict          <bold>row   <bold>observed  <bold>claim',
    '<green>holds           one         a               claim of one',
    '<yellow>does not hold  two         b               claim of two',
    '<dim>not tried         three       requires --nat  claim of three',
    '<dim>not tried         four                        claim of four',
    '<green>holds           five\\u001b  c               claim of five\\u001b',
    '',
    '2 hold, 1 do not hold, 2 not tried',
  ];

  test('the rows and their number', () => {
    expect(lines(report)).toEqual(['Windows: unknown, HNS: unknown', '', ...table]);
  });

  test('what is known of the node, that nothing differs, and what remains', () => {
    const windows = 'Windows Server 2022 Datacenter 20348.2402';
    const more = {
      windows,
      hns: { Major: 15, Minor: 5 },
      remaining: ['network 1', 'x\u001b'],
      differences: [],
    };
    expect(lines({ ...report, ...more })).toEqual([
      `Windows: ${windows}, HNS: 15.5`,
      '',
      ...table,
      '',
      'No differences from the other report.',
      'not deleted: network 1',
      'not deleted: x\\u001b',
      'The next probe deletes these objects, except a namespace to which HNS gave another ID.',
    ]);
  });

  test('what differs from another node', () => {
    const differences = [{ row: 'one', here: 'a', there: 'b' }];
    expect(lines({ ...report, rows: rows.slice(0, 1), differences })).toEqual([
      'Windows: unknown, HNS: unknown',
      '',
      '<bold>verdict  <bold>row  <bold>observed  <bold>claim',
      '<green>holds   one        a               claim of one',
      '',
      '1 hold, 0 do not hold, 0 not tried',
      '',
      '<bold>row  <bold>this node  <bold>other node',
      'one        a                b',
    ]);
  });
});

test('what differs wraps between words', () => {
  const differences = [{ row: 'one', here: 'some words here', there: 'other words there' }];
  expect(lines({ ...report, rows: [], differences }, 30).slice(-4)).toEqual([
    '',
    '<bold>row  <bold>this node  <bold>other node',
    'one        some words       other words',
    '           here             there',
  ]);
});

test('two reports differ in the rows that both nodes observed', () => {
  const other = [
    { id: 'two', observed: 'c' },
    { id: 'two', observed: 'd' },
    { id: 'one', observed: 'a' },
    { id: 'three', observed: 'x' },
    { id: 'five\u001b', observed: undefined },
  ];
  expect(compareReports(report, other)).toEqual([{ row: 'two', here: 'b', there: 'c' }]);
});

describe('the report of another node', () => {
  const read = (text: string) => {
    const given: unknown[] = [];
    const files = {
      read: (...words: readonly unknown[]) => {
        given.push(...words);
        return new TextEncoder().encode(text);
      },
    } as unknown as Session;
    return { observed: readObserved('node1.json', files), given };
  };

  test('is read up to the size of other files', () => {
    expect(read('{"rows":[{"id":"one","observed":"a"},{"id":"two"}]}')).toEqual({
      observed: [
        { id: 'one', observed: 'a' },
        { id: 'two', observed: undefined },
      ],
      given: ['node1.json', 64 * 1024 * 1024],
    });
  });

  test.each([
    ['{"rows":[{"id":1}]}', 'rows[0].id is not a string'],
    ['{"rows":[{"id":"a","observed":1}]}', 'rows[0].observed is not a string'],
    ['{"rows":{}}', 'rows is not a list'],
  ])('is refused: %s', (text, reason) => {
    expect(() => read(text)).toThrow(`node1.json is not a report of win-hcn probe -o json: ${reason}`);
  });
});

test.each([
  ['', undefined],
  ['win-hcn.log', 'probe.log'],
  ['C:\\ProgramData\\win-hcn\\win-hcn.log', 'C:\\ProgramData\\win-hcn\\probe.log'],
  ['C:\\logs/a.b\\x/win-hcn.log', 'C:\\logs/a.b\\x/probe.log'],
  ['/var/log\\x', '/var/log\\probe.log'],
])('the reports are beside the log %s, in %s', (log, file) => expect(reportLog(log)).toBe(file));
