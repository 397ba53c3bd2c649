import { describe, expect, test } from 'vitest';
import { isHostAddress, parseAddress } from '../../../src/net/address.ts';
import { formatMac, macFromAddress, macFromBytes, parseUnicastMac } from '../../../src/net/mac.ts';
import {
  contains,
  firstHost,
  formatPrefix,
  isHostIn,
  networkOf,
  overlaps,
  parsePrefix,
} from '../../../src/net/prefix.ts';

describe('an address', () => {
  test.each([
    ['10.5.0.2', '10.5.0.2'],
    ['FD00:0:0::2', 'fd00::2'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['010.0.0.1', undefined],
    ['10.1', undefined],
    ['256.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['10.0.0.1/24', undefined],
    ['', undefined],
    ['pod', undefined],
  ])('%j reads as %j', (text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });
});

test.each([
  ['10.0.0.1', true],
  ['1.0.0.0', true],
  ['169.254.1.1', true],
  ['223.255.255.255', true],
  ['240.0.0.1', true],
  ['255.255.255.254', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['::2', true],
  ['0.0.0.0', false],
  ['0.0.0.1', false],
  ['127.0.0.1', false],
  ['224.0.0.0', false],
  ['239.255.255.255', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['ff02::1', false],
])('%s: a host can have it is %s', (address, expected) => {
  expect(isHostAddress(address)).toBe(expected);
});

describe('a prefix', () => {
  test.each([
    ['10.5.0.2/24', '10.5.0.2/24', '10.5.0.0/24'],
    ['fd00:5::2/64', 'fd00:5::2/64', 'fd00:5::/64'],
    ['::ffff:10.1.2.3/120', '10.1.2.3/24', '10.1.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0', '0.0.0.0/0'],
    ['10.5.0.2/32', '10.5.0.2/32', '10.5.0.2/32'],
  ])('%s is %s of network %s', (text, canonical, network) => {
    const prefix = parsePrefix(text);
    expect(prefix && formatPrefix(prefix)).toBe(canonical);
    expect(prefix && formatPrefix(networkOf(prefix))).toBe(network);
  });

  test.each([
    '10.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/08',
    '10.0.0.1/24.5',
    '10.0.0.1/-1',
    '010.0.0.1/8',
    '::1/129',
    '::ffff:10.0.0.1/90',
    'x/8',
    '/8',
  ])('%j is not a prefix', (text) => {
    expect(parsePrefix(text)).toBeUndefined();
  });

  test.each([
    ['10.244.1.0/24', '10.244.1.255', true],
    ['10.244.1.0/24', '10.244.2.0', false],
    ['10.244.1.0/24', 'fd00::1', false],
    ['fd00::/64', 'fd00::ffff', true],
    ['0.0.0.0/0', '255.255.255.255', true],
  ])('%s and %s: contained is %s', (cidr, address, expected) => {
    expect(contains(parsePrefix(cidr) ?? { address: '', length: 0 }, address)).toBe(expected);
  });

  test.each([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.2.0.0/16', false],
    ['10.1.0.7/16', '10.1.9.0/24', true],
    ['0.0.0.0/0', '10.1.0.0/16', true],
    ['::/0', '10.1.0.0/16', false],
    ['fd00::/48', 'fd00:0:0:7::/64', true],
  ])('%s and %s overlap: %s, in both orders', (one, other, expected) => {
    const prefixes = [one, other].map((cidr) => parsePrefix(cidr) ?? { address: '', length: 0 });
    const [first, second] = prefixes;
    if (first === undefined || second === undefined) throw new Error('no prefixes');
    expect([overlaps(first, second), overlaps(second, first)]).toEqual([expected, expected]);
  });

  test.each([
    ['10.244.1.0/24', '10.244.1.0', false],
    ['10.244.1.0/24', '10.244.1.1', true],
    ['10.244.1.0/24', '10.244.1.254', true],
    ['10.244.1.0/24', '10.244.1.255', false],
    ['10.244.1.0/24', '10.244.2.1', false],
    ['10.244.0.0/15', '10.244.0.255', true],
    ['10.244.0.0/15', '10.245.255.255', false],
    ['10.244.1.4/30', '10.244.1.4', false],
    ['10.244.1.4/30', '10.244.1.6', true],
    ['10.244.1.4/30', '10.244.1.7', false],
    ['10.244.1.4/31', '10.244.1.4', true],
    ['10.244.1.4/31', '10.244.1.5', true],
    ['10.244.1.4/31', '10.244.1.6', false],
    ['10.244.1.4/32', '10.244.1.4', true],
    ['10.244.1.4/32', '10.244.1.5', false],
    ['fd00::/64', 'fd00::', false],
    ['fd00::/64', 'fd00::ffff:ffff:ffff:ffff', true],
    ['fd00::4/126', 'fd00::4', false],
    ['fd00::4/126', 'fd00::7', true],
    ['fd00::4/127', 'fd00::4', true],
    ['fd00::4/127', 'fd00::5', true],
    ['fd00::4/127', 'fd00::6', false],
    ['fd00::4/128', 'fd00::4', true],
    ['fd00::/64', '10.244.1.1', false],
  ])('%s and %s: a host can have it is %s', (cidr, address, expected) => {
    expect(isHostIn(parsePrefix(cidr) ?? { address: '', length: 0 }, address)).toBe(expected);
  });

  test.each(['10.244.1.0/31', '10.244.1.0/32', 'fd00::/127', 'fd00::/128'])(
    '%s has no first address beside the network address',
    (cidr) => {
      expect(firstHost(parsePrefix(cidr) ?? { address: '', length: 0 })).toBeUndefined();
    },
  );

  test.each([
    ['10.244.1.0/30', '10.244.1.1'],
    ['fd00:5::/126', 'fd00:5::1'],
    ['10.244.1.0/24', '10.244.1.1'],
    ['fd00:5::/64', 'fd00:5::1'],
  ])('%s has %s as its first address', (cidr, address) => {
    expect(firstHost(parsePrefix(cidr) ?? { address: '', length: 0 })).toBe(address);
  });
});

describe('a MAC address', () => {
  test('has colons and lower case in a CNI result', () => {
    expect(formatMac('0E-2A-0a-F4-01-05')).toBe('0e:2a:0a:f4:01:05');
  });

  test.each([
    ['02:11:0a:f4:02:0c', '02-11-0A-F4-02-0C'],
    ['FE-FF-FF-FF-FF-FF', 'FE-FF-FF-FF-FF-FF'],
    ['00-00-00-00-00-01', '00-00-00-00-00-01'],
    ['00-00-00-00-00-00', undefined],
    ['01-00-5E-00-00-01', undefined],
    ['33-33-00-00-00-01', undefined],
    ['FF-FF-FF-FF-FF-FF', undefined],
    ['0f:2a:00:00:00:01', undefined],
    ['02110af4020c', undefined],
    ['02:11:0a:f4:02:0c:0d', undefined],
    ['02:11:0a:f4:02', undefined],
    ['x02:11:0a:f4:02:0c', undefined],
    ['none', undefined],
    ['', undefined],
  ])('%j of an interface is %j', (text, canonical) => {
    expect(parseUnicastMac(text)).toBe(canonical);
  });

  test.each([
    [[0x02, 0x11, 0x0a, 0xf4, 0, 0x0c], '02-11-0A-F4-00-0C'],
    [[0x02, 0x11, 0x0a, 0xf4, 0], undefined],
    [[0x02, 0x11, 0x0a, 0xf4, 0, 0x0c, 0], undefined],
  ])('of the bytes %j is %j', (bytes, expected) => {
    expect(macFromBytes(Uint8Array.from(bytes))).toBe(expected);
  });

  test('can be derived from two octets and an IPv4 address', () => {
    expect(macFromAddress('0E-2A', '10.244.1.5')).toBe('0E-2A-0A-F4-01-05');
  });

  test('can be derived from two octets and the end of an IPv6 address', () => {
    expect(macFromAddress('02-11', 'fd00::a:1:2')).toBe('02-11-00-01-00-02');
  });
});
