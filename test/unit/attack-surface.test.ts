import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('docs/attack-surface.md', 'utf8');
const tables = [...page.matchAll(/^\| claim \| test \|\n.*\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
  rows.trimEnd().split('\n'),
);
const claims = tables.map((row) => {
  const [, claim, file, title] = /^\| (.+) \| `(.+?)`: "(.+)" \|$/.exec(row) ?? [];
  return { row, claim, file, title };
});

describe('docs/attack-surface.md', () => {
  test('has claims', () => {
    expect(claims.length).toBeGreaterThan(20);
  });

  test.each(claims)('names an existing test: $row', ({ claim, file, title }) => {
    expect(claim).toMatch(/\.$/);
    const source = readFileSync(file ?? '', 'utf8');
    // A title may end with an ellipsis.
    const [, beginning = '', rest] = /^(.*?)( …)?$/.exec(title ?? '') ?? [];
    const quoted = [`'`, '"', '`'].map((quote) => `${quote}${beginning}${rest ? '' : quote}`);
    // A title follows `test(` or `describe(`, the end of a table, or `says:` in a case of the conformance suite.
    const isTitle = (text: string) =>
      source
        .split(text)
        .slice(0, -1)
        .some((before) => /(?:test\(|describe\(|\)\(|says:)\s*$/.test(before));
    expect(quoted.some(isTitle), `${file} has a test "${title}"`).toBe(true);
  });

  test('has at most 110 lines', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(110);
  });
});
