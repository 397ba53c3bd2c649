import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { symbolOf } from '../../src/cli/probe/experiment.ts';
import { rows } from '../../src/cli/probe/experiments.ts';
import { variantNames, variants } from '../simulator/variants/variants.ts';

/** The claim of each row of the page by its id. */
const page = new Map(
  [...readFileSync('docs/notes/uncertain-hns.md', 'utf8').matchAll(/^\| (\w+) \| ([^|]+) \|/gm)].map(
    ([, id, claim]) => [id, claim],
  ),
);

test('docs/notes/uncertain-hns.md has a row for each row of probe, with its claim, and for each variant', () => {
  for (const { id, claim } of rows) expect(page.get(id), id).toBe(claim);
  expect(variantNames.filter((name) => !page.has(name))).toEqual([]);
});

test.each(rows)('$id: win-hcn handles each position of its variant', ({ id, expected, handled }) => {
  const name = variantNames.find((known) => known === id);
  const positions = name === undefined ? [] : variants[name].positions;
  const observed = positions.map((position) =>
    typeof position === 'number' ? symbolOf(position) : position,
  );
  expect(observed.filter((one) => !expected.includes(one) && !handled.includes(one))).toEqual([]);
});
