import { expect, test } from 'vitest';
import { differences } from './differences.ts';

test.each([
  ['a member that only the peer sends', { A: 1, Dns: {} }, { A: 1 }, ['- Dns']],
  ['a member that only win-hcn sends', { A: 1 }, { A: 1, ID: 'x' }, ['+ ID']],
  ['another value', { A: { B: 1 } }, { A: { B: 2 } }, ['~ A.B']],
  ['null and an absent member', { A: null }, {}, ['- A']],
  ['an empty list and an absent one', { A: [] }, {}, ['- A']],
  ['a number and a string', { A: 6 }, { A: '6' }, ['~ A']],
  ['strings of a list', { L: ['a', 'b'] }, { L: ['b', 'c'] }, ['- L[a]', '+ L[c]']],
  ['the order of strings', { L: ['a', 'b'] }, { L: ['b', 'a'] }, ['order L']],
  ['numbers of a list, by position', { L: [1, 2] }, { L: [1, 3] }, ['~ L[1]']],
  [
    'policies, by type',
    { Policies: [{ Type: 'ACL', Settings: { P: 1 } }, { Type: 'QOS' }] },
    { Policies: [{ Type: 'QOS' }, { Type: 'ACL', Settings: { P: 2 } }] },
    ['order Policies', '~ Policies[ACL].Settings.P'],
  ],
  [
    'several policies of a type, by position',
    { Policies: [{ Type: 'ACL' }, { Type: 'ACL' }] },
    { Policies: [{ Type: 'ACL' }] },
    ['- Policies[ACL#2]'],
  ],
  [
    'routes, by destination',
    { Routes: [{ DestinationPrefix: '::/0', NextHop: 'a' }] },
    { Routes: [{ DestinationPrefix: '::/0', NextHop: 'b' }] },
    ['~ Routes[::/0].NextHop'],
  ],
  ['calls, by name', [{ call: 'A' }], [{ call: 'B' }], ['+ [B]', '- [A]']],
])('%s', (_, theirs, ours, expected) => {
  expect(differences(theirs, ours).toSorted()).toEqual(expected.toSorted());
});

test('equal documents do not differ, in any member order', () => {
  expect(differences({ A: 1, B: [{ C: 2 }] }, { B: [{ C: 2 }], A: 1 })).toEqual([]);
});
