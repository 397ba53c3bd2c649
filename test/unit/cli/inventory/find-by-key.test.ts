import { expect, test } from 'vitest';
import { findByKey } from '../../../../src/cli/inventory/resolve-object.ts';

const objects = [
  { ID: 'abcd0001', Name: 'web' },
  { ID: 'abcd0002', Name: 'abcd' },
  { ID: 'abcdef', Name: 'twin' },
  { ID: 'abcdef01', Name: 'Twin' },
  { ID: 'ffff0001', Name: '', MacAddress: '00-15-5D-52-C0-00' },
];

const ambiguous = (problem: string) => ({ problem, isAmbiguous: true });

test.each([
  ['abcd0001', { found: objects[0] }],
  ['{ABCD0001}', { found: objects[0] }],
  ['WEB', { found: objects[0] }],
  ['abcd', { found: objects[1] }],
  ['abcdef', { found: objects[2] }],
  ['abcdef0', { found: objects[3] }],
  ['00:15:5d:52:c0:00', { found: objects[4] }],
  ['abcd0', ambiguous('"abcd0" matches 2 endpoints: use a longer part of the id (abcd0001, abcd0002)')],
  ['twin', ambiguous('"twin" matches 2 endpoints: use a longer part of the id (abcdef, abcdef01)')],
  ['we', { problem: 'HCN has no endpoint "we"' }],
  ['', { problem: 'HCN has no endpoint ""' }],
  ['{}', { problem: 'HCN has no endpoint "{}"' }],
])('the key %j', (key, expected) => {
  expect(findByKey('endpoint', key, objects)).toEqual(expected);
});

test('a key that matches many objects lists three of them', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ID: `abcd${1000 + index}` }));
  expect(findByKey('endpoint', 'abcd', many)).toEqual(
    ambiguous(
      '"abcd" matches 40 endpoints: use a longer part of the id (abcd1000, abcd1001, abcd1002 and 37 more)',
    ),
  );
});
