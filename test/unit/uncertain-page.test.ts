import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { symbolOf } from '../../src/cli/probe/experiment.ts';
import { rows } from '../../src/cli/probe/experiments.ts';
import { variantNames, variants } from '../simulator/variants/variants.ts';

/** The rows of the page, with the last column. */
const page = new Map(
  [...readFileSync('docs/notes/uncertain-hns.md', 'utf8').matchAll(/^\| (\w+) \| .* \| ([^|]+) \|$/gm)].map(
    ([, id, tested]) => [id, tested],
  ),
);

test('docs/notes/uncertain-hns.md has a row for each variant, and says which rows probe tests', () => {
  expect(variantNames.filter((name) => !page.has(name))).toEqual([]);
  const tested = [...page].filter(([, column]) => column === 'yes' || column === '`--adapter`');
  expect(Object.fromEntries(tested)).toEqual(
    Object.fromEntries(
      rows.map(({ id, on }) => [id, ['L2Bridge', 'Overlay'].includes(on) ? '`--adapter`' : 'yes']),
    ),
  );
});

test.each(rows)('$id: win-hcn handles each position of its variant', ({ id, expected, handled }) => {
  const name = variantNames.find((known) => known === id);
  const positions = name === undefined ? [] : variants[name].positions;
  const observed = positions.map((position) =>
    typeof position === 'number' ? symbolOf(position) : position,
  );
  expect(observed.filter((one) => !expected.includes(one) && !handled.includes(one))).toEqual([]);
});
