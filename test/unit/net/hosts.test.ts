import { describe, expect, test } from 'vitest';
import {
  isHostAddress,
  isLinkLocal,
  isLoopback,
  isUnspecified,
  parseAddress,
} from '../../../src/net/address.ts';
import { withoutContained } from '../../../src/net/overlaps.ts';
import {
  bitsOf,
  canonicalPrefix,
  everyAddress,
  firstHost,
  isHostIn,
  isNested,
  type Prefix,
  parsePrefix,
  secondHost,
  withLength,
} from '../../../src/net/prefix.ts';

function prefixOf(cidr: string): Prefix {
  const prefix = parsePrefix(cidr);
  if (prefix === undefined) throw new Error(`${cidr} is not a prefix`);
  return prefix;
}

describe('the hosts of a prefix', () => {
  test.each([
    ['10.244.1.77/24', '10.244.1.1', '10.244.1.2'],
    ['10.244.1.4/30', '10.244.1.5', '10.244.1.6'],
    ['10.244.1.4/31', undefined, undefined],
    ['10.244.1.4/32', undefined, undefined],
    ['fd00:5::9/64', 'fd00:5::1', 'fd00:5::2'],
    ['fd00:5::4/126', 'fd00:5::5', 'fd00:5::6'],
    ['fd00:5::4/127', undefined, undefined],
    ['fd00:5::4/128', undefined, undefined],
  ])('%s begin with %s and %s', (cidr, first, second) => {
    expect([firstHost(prefixOf(cidr)), secondHost(prefixOf(cidr))]).toEqual([first, second]);
  });

  test.each([
    ['10.244.1.0/24', '10.244.1.0', false],
    ['10.244.1.0/24', '10.244.1.1', true],
    ['10.244.1.0/24', '10.244.1.254', true],
    ['10.244.1.0/24', '10.244.1.255', false],
    ['10.244.1.0/24', '10.244.2.1', false],
    ['10.244.1.9/30', '10.244.1.8', false],
    ['10.244.1.9/30', '10.244.1.10', true],
    ['10.244.1.9/30', '10.244.1.11', false],
    ['10.244.1.8/31', '10.244.1.9', true],
    ['10.244.0.0/20', '10.244.15.255', false],
    ['10.244.0.0/20', '10.244.7.255', true],
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

  test('are left out if another one contains them; of equal ones the first stays', () => {
    expect(
      withoutContained([
        '10.244.1.0/24',
        '10.244.0.0/16',
        '10.96.0.1',
        '10.96.0.1/32',
        'fd00::/48',
        'fd00::7',
        'LOCALSUBNET',
        '10.0.0.0/16',
      ]),
    ).toEqual(['10.244.0.0/16', '10.96.0.1', 'fd00::/48', 'LOCALSUBNET', '10.0.0.0/16']);
  });

  test('have canonical text, with the full length where a prefix is required', () => {
    expect(canonicalPrefix('10.244.1.7/24')).toBe('10.244.1.0/24');
    expect(canonicalPrefix('FD00::7')).toBe('fd00::7');
    expect(canonicalPrefix('10.244.1.7/')).toBeUndefined();
    expect(canonicalPrefix('10.244.1.7/24/24')).toBeUndefined();
    expect([withLength('10.0.0.9'), withLength('fd00::9'), withLength('10.0.0.0/8')]).toEqual([
      '10.0.0.9/32',
      'fd00::9/128',
      '10.0.0.0/8',
    ]);
  });
});

describe('an address', () => {
  test.each([
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::1:2:3:4:5:6:7', '0:1:2:3:4:5:6:7'],
    ['00ab::', 'ab::'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::ffff:0:0', '0.0.0.0'],
    ['::fffe:10.0.0.1', '::fffe:a00:1'],
    ['1::ffff:10.0.0.1', '1::ffff:a00:1'],
    ['100::ffff:10.0.0.1', '100::ffff:a00:1'],
    ['::1:ffff:10.0.0.1', '::1:ffff:a00:1'],
    ['::ff:10.0.0.1', '::ff:a00:1'],
    ['::ff00:10.0.0.1', '::ff00:a00:1'],
  ])('%s has the canonical text %s', (text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });

  test.each([
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '1:2:3:4::5:6:7:8',
    ':1:2:3:4:5:6:7',
    '12345::',
    'g::',
    '::1.2.3',
    '10.0.0.0.1',
    '10.0.0.-1',
    '10.0.0.1 ',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test('has octets up to 255', () => {
    expect(parseAddress('255.0.255.255')).toBe('255.0.255.255');
    expect(parseAddress('10.0.0.256')).toBeUndefined();
  });

  test('is unspecified as 0.0.0.0 and ::', () => {
    expect(['0.0.0.0', '::', '0.0.0.1', '::1', '10.0.0.0'].filter(isUnspecified)).toEqual(['0.0.0.0', '::']);
  });

  test('is link-local in 169.254.0.0/16 and fe80::/10', () => {
    const own = ['169.254.0.1', 'fe80::1', 'febf::1'];
    expect([...own, '169.253.0.1', '16.92.54.1', 'fe7f::1', 'fec0::1', '::fe80'].filter(isLinkLocal)).toEqual(
      own,
    );
  });

  test('is a loopback address in 127.0.0.0/8 and as ::1', () => {
    const own = ['127.0.0.1', '127.255.0.1', '::1'];
    expect([...own, '12.7.0.1', '::2', '::127'].filter(isLoopback)).toEqual(own);
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
