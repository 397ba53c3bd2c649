import { describe, expect, test } from 'vitest';
import { replaceAddresses } from '../../../../src/cli/diff/comparable-endpoint.ts';
import { comparePolicies } from '../../../../src/cli/diff/differences.ts';
import type { Policy } from '../../../../src/hcn/documents.ts';

const nat = (Settings: Policy['Settings'] = {}): Policy => ({ Type: 'OutBoundNAT', Settings });
const route = (DestinationPrefix: string): Policy => ({
  Type: 'SDNRoute',
  Settings: { DestinationPrefix, NeedEncap: true },
});

describe('policies', () => {
  test.each<[string, readonly Policy[], readonly Policy[]]>([
    ['both sides have none', [], []],
    [
      'their settings have another order',
      [nat({ VirtualIP: 'x', Flags: 1 })],
      [nat({ Flags: 1, VirtualIP: 'x' })],
    ],
    [
      'their types have another order or case',
      [nat(), route('a')],
      [route('a'), { ...nat(), Type: 'outboundnat' }],
    ],
    ['a list has another order', [nat({ Exceptions: ['a', 'b'] })], [nat({ Exceptions: ['b', 'a'] })]],
    ['policies of a type have another order', [route('a'), route('b')], [route('b'), route('a')]],
    ['one has no settings', [{ Type: 'L2Driver' }], [{ Type: 'L2Driver', Settings: {} }]],
  ])('are equal if %s', (_name, left, right) => {
    expect(comparePolicies(left, right)).toEqual([]);
  });

  test.each<[string, readonly Policy[], readonly Policy[], readonly (readonly [string, string, string])[]]>([
    ['only one side has the policy', [route('a')], [], [['SDNRoute', 'a, encapsulated', 'none']]],
    [
      'a policy without settings is missing',
      [],
      [{ Type: 'L2Driver' }],
      [['L2Driver', 'none', 'uses the layer 2 driver']],
    ],
    [
      'one side has the policy twice',
      [route('a'), route('a')],
      [route('a')],
      [['SDNRoute', 'a, encapsulated', 'none']],
    ],
    ['a setting differs', [route('a')], [route('b')], [['SDNRoute', 'a, encapsulated', 'b, encapsulated']]],
    [
      'a setting is missing',
      [nat({ VirtualIP: 'x', Flags: 1 })],
      [nat({ Flags: 2 })],
      [['OutBoundNAT', 'leaves as x, also from the node itself', 'leaves as a node address, IPv6']],
    ],
    [
      'only a default is written out',
      [{ Type: 'SDNRoute', Settings: { DestinationPrefix: 'a', NeedEncap: false } }],
      [{ Type: 'SDNRoute', Settings: { DestinationPrefix: 'a' } }],
      [['SDNRoute', 'DestinationPrefix=a NeedEncap=false', 'DestinationPrefix=a']],
    ],
    [
      'a list of rules differs',
      [{ Type: 'TierAcl', Settings: { Name: 't', Order: 1, TierAclRules: [{ TierAclRuleAction: 'Pass' }] } }],
      [
        {
          Type: 'TierAcl',
          Settings: { Name: 't', Order: 1, TierAclRules: [{ TierAclRuleAction: 'Block' }] },
        },
      ],
      [['TierAcl', 'In tier 1 "t"; Pass: everything', 'In tier 1 "t"; Block: everything']],
    ],
    [
      'a list has more items on one side',
      [nat({ Exceptions: ['a', 'b', 'c'] })],
      [nat({ Exceptions: ['b'] })],
      [['OutBoundNAT Exceptions', 'a, c', 'missing']],
    ],
    [
      'a list is on one side only',
      [nat()],
      [nat({ Exceptions: ['a'] })],
      [['OutBoundNAT Exceptions', 'none', 'a']],
    ],
    [
      'one of two policies of a type differs',
      [nat({ Exceptions: ['a'] }), nat({ Destinations: ['x'] })],
      [nat({ Destinations: ['x'] }), nat({ Exceptions: ['b'] })],
      [['OutBoundNAT Exceptions', 'a', 'b']],
    ],
  ])('differ if %s', (_name, left, right, expected) => {
    expect(comparePolicies(left, right).map((one) => [one.what, one.left, one.right])).toEqual(expected);
  });
});

describe("a pod's own address in a policy", () => {
  const own = ['10.244.1.2', 'fd00::2'];
  test.each([
    ['10.244.1.2', '<pod address>'],
    ['10.244.1.2/32', '<pod address>'],
    ['fd00:0::2', '<pod address>'],
    ['fd00::2/128', '<pod address>'],
    ['10.244.1.3,10.244.1.2', '10.244.1.3,<pod address>'],
    ['10.244.1.2/24', '10.244.1.2/24'],
    ['10.244.1.20', '10.244.1.20'],
    ['any', 'any'],
    ['', ''],
  ])('is replaced: %j', (text, expected) => {
    expect(replaceAddresses(text, own)).toBe(expected);
  });

  test('is replaced in lists and objects', () => {
    const settings = {
      Destinations: ['10.244.1.2', '8.8.8.8'],
      FilterTuple: { LocalAddresses: '10.244.1.2' },
      Flags: 1,
      VIP: null,
    };
    expect(replaceAddresses(settings, own)).toEqual({
      Destinations: ['<pod address>', '8.8.8.8'],
      FilterTuple: { LocalAddresses: '<pod address>' },
      Flags: 1,
      VIP: null,
    });
  });
});
