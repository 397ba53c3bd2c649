import { expect, test } from 'vitest';
import { matchesPattern } from '../../../../src/cli/containerd/file-pattern.ts';

test.each([
  ['*.toml', '10-a.toml', true],
  ['*.toml', '.toml', true],
  ['*.toml', 'a.toml.bak', false],
  ['*.toml', 'toml', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a*bc*c', 'abc', false],
  ['**a**', 'bab', true],
  ['?*', '', false],
  ['?*', 'a', true],
  ['*?', 'ab', true],
  ['a.c*', 'abc', false],
  ['(a+)*', '(a+)b', true],
  ['[a-c]*', 'b.toml', true],
  ['[a-c]*', 'd.toml', false],
  ['[a-c]*', '', false],
  ['[abx-]*', '-1', true],
  ['[abx-]*', 'y1', false],
  ['[^a-c]*', 'd.toml', true],
  ['[^a-c]*', 'c.toml', false],
  ['[^a]*', '', false],
  ['*[0-9].toml', 'a5.toml', true],
  ['[a*', '[abc', true],
  ['[]*', '[]b', true],
  ['*', 'a\nb', true],
])('%s matches %j: %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected);
});

test('a pattern of thousands of asterisks does not slow the search for imports', () => {
  expect(matchesPattern(`${'*a'.repeat(10_000)}*b`, 'a'.repeat(255))).toBe(false);
  expect(matchesPattern(`${'*[a'.repeat(300_000)}*b`, 'a'.repeat(255))).toBe(false);
});
