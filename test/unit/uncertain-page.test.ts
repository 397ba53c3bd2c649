import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { symbolOf } from '../../src/cli/probe/experiment.ts';
import { rows } from '../../src/cli/probe/experiments.ts';
import { variantNames, variants } from '../simulator/variants/variants.ts';

/** The names of the rows in a section of the page. */
const rowsUnder = (heading: string) => {
  const [, section = ''] = readFileSync('docs/notes/uncertain-hns.md', 'utf8').split(`## ${heading}\n`);
  const [, table = section] = /^(.*?)\n## /s.exec(section) ?? [];
  return [...table.matchAll(/^\| ([a-z]\w+(?:, \w+)*) \|/gm)].flatMap(([, names = '']) => names.split(', '));
};
const sections = [
  'Tested by debug probe',
  'Tested by debug probe with `--adapter`',
  'Not tested by debug probe',
];
const [always, withAdapter, never] = sections.map((heading) =>
  rowsUnder(heading).filter((id) => id !== 'row'),
);

test('docs/notes/uncertain-hns.md has a row for each variant, and says which rows probe tests', () => {
  const needsAdapter = ({ on }: (typeof rows)[number]) => ['L2Bridge', 'Overlay'].includes(on);
  const idsOf = (some: typeof rows) => some.map(({ id }) => id).toSorted();
  expect(always?.toSorted()).toEqual(idsOf(rows.filter((row) => !needsAdapter(row))));
  expect(withAdapter?.toSorted()).toEqual(idsOf(rows.filter(needsAdapter)));
  const all = [always, withAdapter, never].flat();
  expect(variantNames.filter((name) => !all.includes(name))).toEqual([]);
  expect(all).toEqual([...new Set(all)]);
});

test.each(rows)('$id: win-hcn handles each position of its variant', ({ id, expected, handled }) => {
  const name = variantNames.find((known) => known === id);
  const positions = name === undefined ? [] : variants[name].positions;
  const observed = positions.map((position) =>
    typeof position === 'number' ? symbolOf(position) : position,
  );
  expect(observed.filter((one) => !expected.includes(one) && !handled.includes(one))).toEqual([]);
});
