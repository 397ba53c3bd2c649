import { expect, test } from 'vitest';
import { spellerOf } from '../../../src/config/source-paths.ts';

test.each([
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
