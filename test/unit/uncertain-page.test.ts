import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { symbolOf } from '../../src/cli/probe/observation.ts';
import { rows } from '../../src/cli/probe/rows.ts';
import { variantNames, variants } from '../simulator/variants/variants.ts';
import { page, probedRows, textRows } from '../uncertain/page.ts';

test('docs/notes/uncertain-hns.md matches the rows of probe: run npm run uncertain after a change', () => {
  expect(readFileSync('docs/notes/uncertain-hns.md', 'utf8')).toBe(page());
});

const probed = [...probedRows()].map(([id, [evidence, handling]]) => {
  const claim = rows.find((row) => row.id === id)?.claim ?? '';
  return { id, claim, evidence, handling };
});
const all = [...probed, ...textRows()];

describe('the rows', () => {
  test('have one row for each variant of the simulated service', () => {
    const ids = all.map(({ id }) => id);
    expect(variantNames.filter((name) => !ids.includes(name))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(probed.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  test.each(all)('$id: one sentence, with the letter of its evidence', ({ claim, evidence, handling }) => {
    expect(claim).toMatch(/^[A-Z].{10,108}[^.]$/);
    expect(evidence).toMatch(/^(?:[DSTOCI]\b)/);
    expect(handling).not.toBe('');
  });

  test.each(rows)('$id: win-hcn handles each position of its variant', ({ id, expected, handled }) => {
    const name = variantNames.find((known) => known === id);
    const positions = name === undefined ? [] : variants[name].positions;
    const observed = positions.map((position) =>
      typeof position === 'number' ? symbolOf(position) : position,
    );
    const known = [...expected, ...handled];
    expect(observed.filter((one) => !known.includes(one))).toEqual([]);
  });

  test.each(textRows())('$id: the reason why it has no experiment', ({ why }) => {
    expect(why).toMatch(/^(?:no|not possible): /);
  });
});
