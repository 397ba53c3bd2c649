import { describe, expect, test } from 'vitest';
import { isHostAddress, isLinkLocal, isUnspecified, parseAddress } from '../../../src/net/address.ts';
import {
  bitsOf,
  everyAddress,
  firstHost,
  isHostIn,
  isNested,
  type Prefix,
  parsePrefix,
  secondHost,
} from '../../../src/net/prefix.ts';

function prefixOf(cidr: string): Prefix {
  const prefix = parsePrefix(cidr);
  if (prefix === undefined) throw new Error(`${cidr} is not a prefix`);
  return prefix;
}

describe('the hosts of a prefix', () => {
  test.each([
    ['fd00:5::4/126', 'fd00:5::5', 'fd00:5::6'],
    ['fd00:5::4/127', undefined, undefined],
  ])('%s begin with %s and %s', (cidr, first, second) => {
    expect([firstHost(prefixOf(cidr)), secondHost(prefixOf(cidr))]).toEqual([first, second]);
  });

  test.each([
    ['10.244.1.0/24', '10.244.2.1', false],
    ['10.244.1.9/30', '10.244.1.11', false],
    ['10.244.1.8/31', '10.244.1.9', true],
    ['fd00::/64', 'fd00::', false],
    ['fd00::/120', 'fd00::ff', true],
  ])('%s include %s: %s', (cidr, address, expected) => {
    expect(isHostIn(prefixOf(cidr), address)).toBe(expected);
  });
});

test('each family has a default route and a number of bits', () => {
  expect([everyAddress('IPv4'), everyAddress('IPv6')]).toEqual(['0.0.0.0/0', '::/0']);
  expect([bitsOf('IPv4'), bitsOf('IPv6')]).toEqual([32, 128]);
});

describe('addresses and prefixes', () => {
  test('are nested if one contains the other, in any order', () => {
    expect(isNested('10.244.0.0/16', '10.244.1.0/24')).toBe(true);
    expect(isNested('10.244.1.0/24', '10.244.0.0/16')).toBe(true);
    expect(isNested('10.244.1.0/24', '10.244.1.0/24')).toBe(true);
    expect(isNested('10.244.1.7', '10.244.1.0/24')).toBe(true);
    expect(isNested('10.244.1.0/24', '10.244.2.0/24')).toBe(false);
    expect(isNested('10.244.1.0/24', 'fd00::/64')).toBe(false);
    expect(isNested('LOCALSUBNET', 'LOCALSUBNET')).toBe(true);
    expect(isNested('LOCALSUBNET', '0.0.0.0/0')).toBe(false);
    expect(isNested('0.0.0.0/0', 'LOCALSUBNET')).toBe(false);
  });
});

describe('an address', () => {
  test.each([
    ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
    ['::1:2:3:4:5:6:7', '0:1:2:3:4:5:6:7'],
    ['100::ffff:10.0.0.1', '100::ffff:a00:1'],
    ['::1:ffff:10.0.0.1', '::1:ffff:a00:1'],
    ['::ff:10.0.0.1', '::ff:a00:1'],
  ])('%s has the canonical text %s', (text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });

  test.each(['1::2::3', '1:2:3:4::5:6:7:8', 'g::', '::1.2.3', '10.0.0.-1', '10.0.0.256'])(
    '%j is none',
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );

  test('is unspecified as 0.0.0.0 and ::', () => {
    expect(['0.0.0.0', '::', '0.0.0.1', '::1', '10.0.0.0'].filter(isUnspecified)).toEqual(['0.0.0.0', '::']);
  });

  test('is link-local in 169.254.0.0/16 and fe80::/10', () => {
    const own = ['169.254.0.1', 'fe80::1', 'febf::1'];
    expect([...own, '169.253.0.1', '16.92.54.1', 'fe7f::1', 'fec0::1', '::fe80'].filter(isLinkLocal)).toEqual(
      own,
    );
  });

  test('can be of a host unless it is unspecified, loopback, multicast or broadcast', () => {
    const own = ['1.0.0.1', '223.255.255.1', '240.0.0.1', 'fd00::1', 'fe80::1'];
    const others = [
      '0.0.0.0',
      '0.1.2.3',
      '127.0.0.1',
      '224.0.0.1',
      '239.1.1.1',
      '255.255.255.255',
      '::',
      '::1',
      'ff02::1',
    ];
    expect([...own, ...others].filter(isHostAddress)).toEqual(own);
  });
});
