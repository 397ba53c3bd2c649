import { expect, test } from 'vitest';
import { dropUnknownKeys } from '../../../src/config/known-keys.ts';

test('unknown keys are dropped, and listed if they have a value', () => {
  const known = {
    keys: { Type: {}, List: { items: { keys: { a: {} } } }, Any: {} },
    types: { Web: { keys: { Port: {} } } },
  };
  const unknown = { b: 1, 'c/d~': 'x', e: '', f: null, g: [], h: false, i: {} };
  expect(
    dropUnknownKeys(
      { Type: 'Web', Port: 80, List: [{ a: 1, z: 2 }, 7], Any: { z: 1 }, ...unknown },
      known,
      '/p',
    ),
  ).toEqual({
    value: { Type: 'Web', Port: 80, List: [{ a: 1 }, 7], Any: { z: 1 } },
    dropped: ['/p/List/0/z', '/p/b', '/p/c~1d~0', '/p/i'],
  });
  expect(dropUnknownKeys({ Type: 'constructor', Port: 80 }, known)).toEqual({
    value: { Type: 'constructor' },
    dropped: ['/Port'],
  });
  expect(dropUnknownKeys('x', known)).toEqual({ value: 'x', dropped: [] });
});
