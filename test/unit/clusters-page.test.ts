import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/clusters.md', 'utf8').replace(/\n(\[[\w-]+\]: \S+\n)+$/, '');
const [introduction = '', ...sections] = page.split('\n## ');
const recipes = sections
  .map((text) => ({ title: text.split('\n')[0] ?? '', text: text.trimEnd() }))
  .filter(({ title }) => title !== 'Check a node');

test('every recipe of docs/clusters.md ends with what was only simulated', () => {
  expect(recipes.length).toBeGreaterThan(10);
  const others = recipes.filter(
    ({ text }) =>
      !/\n\n(Only simulated: |Nothing of this section is simulated\.)[^\n]*(\n[^\n]+)*$/.test(text),
  );
  expect(others.map(({ title }) => title)).toEqual([]);
});

test('the table of docs/clusters.md leads to every recipe, in their order', () => {
  const rows = introduction
    .split('\n')
    .flatMap((line) => /^\| [^|]+ \| \[([^\]]+)\]\(#/.exec(line)?.[1] ?? []);
  const folded = (titles: readonly string[]) => titles.map((title) => title.toLowerCase());
  expect(folded(rows)).toEqual(folded(recipes.map(({ title }) => title)));
});
