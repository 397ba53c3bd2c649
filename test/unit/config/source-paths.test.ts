import { expect, test } from 'vitest';
import { sourcePathOf, spellerOf } from '../../../src/config/source-paths.ts';

test('a translated path comes from the source of its longest known part', () => {
  const sources = new Map([
    ['/a', '/x'],
    ['/a/0', '/y/1'],
  ]);
  const found = ['/a', '/a/0/b/c', '/a/1', '/b', ''].map((path) => sourcePathOf(sources, path));
  expect(found).toEqual(['/x', '/y/1/b/c', '/x/1', '/b', '']);
});

test.each([
  ['/name', '/Name'],
  ['/dns/search/0', '/DNS/Search/0'],
  ['/list/1/KEY', '/LIST/1/Key'],
  ['/twice', '/TWICE'],
  ['/other/x', '/other/x'],
  ['/cni.dev~1Valid', '/CNI.dev~1valid'],
  ['/TILDE~0/X~01', '/tilde~0/x~01'],
])('%s is spelled as in the given JSON: %s', (path, spelled) => {
  const source = {
    Name: 'a',
    DNS: { Search: ['b'] },
    LIST: [{ key: 1 }, { Key: 1 }],
    'CNI.dev/valid': 1,
    'tilde~': { 'x~1': 1 },
    Twice: 1,
    TWICE: 2,
  };
  expect(spellerOf(source)(path)).toBe(spelled);
});
