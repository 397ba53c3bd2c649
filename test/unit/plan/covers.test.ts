import { expect, test } from 'vitest';
import { matchesSent } from '../../../src/plan/check.ts';

const sent = {
  Type: 'ACL',
  Settings: {
    Protocols: '6',
    Action: 'Allow',
    Direction: 'In',
    RuleType: 'Host',
    Exceptions: ['a', 'b'],
    Flags: 0,
  },
};

test.each([
  ['itself', sent],
  ['more members', { ...sent, Settings: { ...sent.Settings, Id: 'x' } }],
  ['a reordered list', { ...sent, Settings: { ...sent.Settings, Exceptions: ['b', 'a'] } }],
  ['another order and case', { Settings: { ...sent.Settings, Action: 'allow' }, Type: 'acl' }],
  ['no members with default values', { Type: 'ACL', Settings: { Protocols: '6', Exceptions: ['a', 'b'] } }],
])('what was sent is covered by %s', (_, observed) => {
  expect(matchesSent(observed, sent)).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['another type', { ...sent, Type: 'OutBoundNAT' }],
  ['another value', { ...sent, Settings: { ...sent.Settings, Action: 'Block' } }],
  [
    'a missing word that is a default elsewhere',
    { ...sent, Settings: { ...sent.Settings, Type: undefined, Protocols: '' } },
  ],
  ['a missing value', { ...sent, Settings: { ...sent.Settings, Protocols: undefined } }],
  ['a shorter list', { ...sent, Settings: { ...sent.Settings, Exceptions: ['a'] } }],
  ['a longer list', { ...sent, Settings: { ...sent.Settings, Exceptions: ['a', 'b', 'c'] } }],
  ['a text', 'ACL'],
])('what was sent is not covered by %s', (_, observed) => {
  expect(matchesSent(observed, sent)).toBe(false);
});
