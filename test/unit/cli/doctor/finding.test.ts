import { expect, test } from 'vitest';
import { checks } from '../../../../src/cli/doctor/checks.ts';
import { findingSeen, mergeFindings } from '../../../../src/cli/doctor/finding.ts';

test('every check has a unique name', () => {
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
});

test('findings that differ only in their subjects become one, with their number and some of them', () => {
  const lacking = (...subjects: readonly string[]) =>
    ({ check: 'pods', verdict: 'WARN', seen: 'no DNS', subjects, see: `show ${subjects[0]}` }) as const;
  const other = { ...lacking('f'), seen: 'no gateway' };
  const [first, second, ...more] = mergeFindings([
    lacking('a'),
    lacking('b'),
    other,
    lacking('c'),
    lacking('d'),
  ]);
  expect(more).toEqual([]);
  expect([first, second]).toEqual([lacking('a', 'b', 'c', 'd'), other]);
  expect([first, second].flatMap((one) => one ?? []).map(findingSeen)).toEqual([
    '4 endpoints: no DNS (a, b, c and 1 more)',
    'f: no gateway',
  ]);
});

test('checks that lack the same become one finding, and other findings stay', () => {
  const unknown = (check: string, seen: string) => ({ check, verdict: 'UNKNOWN', seen }) as const;
  const pass = { check: 'b', verdict: 'PASS', seen: 'no HCN' } as const;
  expect(
    mergeFindings([
      unknown('a', 'no HCN'),
      pass,
      unknown('c', 'no HCN'),
      unknown('d', 'other'),
      { ...pass, seen: 'x' },
    ]),
  ).toEqual([
    unknown('a', 'no HCN\nalso not checked: c'),
    pass,
    unknown('d', 'other'),
    { ...pass, seen: 'x' },
  ]);
});
