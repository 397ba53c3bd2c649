import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rows } from '../../src/cli/probe/rows.ts';
import { variantNames } from '../simulator/variants/variants.ts';
import { page } from '../uncertain/page.ts';

test('docs/notes/uncertain-hns.md matches the rows of probe: run npm run uncertain after a change', () => {
  expect(readFileSync('docs/notes/uncertain-hns.md', 'utf8')).toBe(page());
});

describe('the rows of probe', () => {
  test('have one row for each variant of the simulated service', () => {
    const ids = rows.map(({ id }) => id);
    expect(variantNames.filter((name) => !ids.includes(name))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(rows)('$id: one sentence, with the letter of its evidence', ({ claim, evidence, handling }) => {
    expect(claim).toMatch(/^[A-Z].{10,108}[^.]$/);
    expect(evidence).toMatch(/^(?:[DSTOCI]\b)/);
    expect(handling).not.toBe('');
  });
});
