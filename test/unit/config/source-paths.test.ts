import { expect, test } from 'vitest';
import { escapeToken, sourcePathOf, spellerOf } from '../../../src/config/source-paths.ts';

test.each([
  ['/a', '/x'],
  ['/a/b', '/y'],
  ['/a/b/c/d', '/y/c/d'],
  ['/a/c', '/x/c'],
  ['/ab', '/ab'],
  ['/b', '/b'],
])('the source of %s, by its longest known beginning, is %s', (path, source) => {
  const paths = new Map([
    ['/a', '/x'],
    ['/a/b', '/y'],
  ]);
  expect(sourcePathOf(paths, path)).toBe(source);
});

test('the source of the empty path applies to every path', () => {
  expect(sourcePathOf(new Map([['', '/x']]), '/a')).toBe('/x/a');
  expect(sourcePathOf(new Map([['', '/x']]), '')).toBe('/x');
});

test.each([
  ['/NAME', '/Name'],
  ['/dns/search/0', '/DNS/Search/0'],
  ['/list/1/key', '/LIST/1/Key'],
  ['/list/0/key', '/LIST/0/key'],
  ['/list/7/key', '/LIST/7/key'],
  ['/cni.dev~1Valid', '/CNI.dev~1valid'],
  ['/TILDE~0/X~01', '/tilde~0/x~01'],
  ['/twice', '/TWICE'],
  ['/absent/x', '/absent/x'],
  ['/name/x', '/Name/x'],
  ['CNI_ARGS', 'CNI_ARGS'],
  ['', ''],
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

test('a key as a token escapes ~ and /', () => {
  expect(escapeToken('a~/b~1')).toBe('a~0~1b~01');
});
