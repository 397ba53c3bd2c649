import { expect, test } from 'vitest';
import { findByKey } from '../../../src/cli/resolve-object.ts';

const objects = [
  { value: 1, id: 'abcd0001', names: ['web'] },
  { value: 2, id: 'abcd0002', names: ['abcd'] },
  { value: 3, id: 'abcdef', names: ['twin'] },
  { value: 4, id: 'abcdef01', names: ['Twin'] },
  { value: 5, id: 'ffff0001', names: [''] },
];

test.each([
  ['abcd0001', { found: 1 }],
  ['{ABCD0001}', { found: 1 }],
  ['WEB', { found: 1 }],
  ['abcd', { found: 2 }],
  ['abcdef', { found: 3 }],
  ['abcdef0', { found: 4 }],
  ['abcd0', { problem: '"abcd0" matches 2 endpoints: use a longer part of the id (abcd0001, abcd0002)' }],
  ['twin', { problem: '"twin" matches 2 endpoints: use a longer part of the id (abcdef, abcdef01)' }],
  ['we', { problem: 'HCN has no endpoint "we"' }],
  ['', { problem: 'HCN has no endpoint ""' }],
  ['{}', { problem: 'HCN has no endpoint "{}"' }],
])('the key %j', (key, expected) => {
  expect(findByKey('endpoint', key, objects)).toEqual(expected);
});
