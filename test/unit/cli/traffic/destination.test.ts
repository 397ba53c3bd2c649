import { describe, expect, test } from 'vitest';
import {
  formatDestination,
  invalidDestination,
  isPort,
  parseDestination,
} from '../../../../src/cli/traffic/destination.ts';

describe('a destination', () => {
  test.each([
    ['10.9.0.7', { address: '10.9.0.7' }],
    ['10.9.0.7:443', { address: '10.9.0.7', port: 443, protocol: 6 }],
    ['10.9.0.7:53/udp', { address: '10.9.0.7', port: 53, protocol: 17 }],
    ['10.9.0.7/TCP', { address: '10.9.0.7', protocol: 6 }],
    ['10.9.0.7/icmp', { address: '10.9.0.7', protocol: 1 }],
    ['FD00::0:7', { address: 'fd00::7' }],
    ['fd00::7/udp', { address: 'fd00::7', protocol: 17 }],
    ['[fd00::7]', { address: 'fd00::7' }],
    ['[::1]:1', { address: '::1', port: 1, protocol: 6 }],
    ['10.9.0.7:65535', { address: '10.9.0.7', port: 65_535, protocol: 6 }],
    ['[fd00::7]:443/tcp', { address: 'fd00::7', port: 443, protocol: 6 }],
    ['fd00::7/icmp', { address: 'fd00::7', protocol: 58 }],
    ['::ffff:10.9.0.7', { address: '10.9.0.7' }],
  ])('%s', (text, expected) => {
    expect(parseDestination(text)).toEqual(expected);
  });

  test.each([
    '',
    'web',
    'example.org:443',
    '10.9.0',
    '10.9.0.0/16',
    '10.9.0.7:0',
    '10.9.0.7:65536',
    '10.9.0.7:000080',
    '10.9.0.7:',
    '10.9.0.7:http',
    '10.9.0.7:443/icmp',
    '10.9.0.7/sctp',
    '10.9.0.7/tcp/udp',
    '[10.9.0.7]:443',
    '[fd00::7]443',
    'fd00::7]:443',
    'fd00::7%eth0',
  ])('cannot be %j', (text) => {
    expect(parseDestination(text)).toBeUndefined();
  });

  test.each([
    '10.9.0.7',
    '10.9.0.7:53/udp',
    '10.9.0.7/icmp',
    'fd00::7',
    '[fd00::7]:443/tcp',
    'fd00::7/icmpv6',
  ])('is formatted as it is read: %s', (text) => {
    expect(formatDestination(parseDestination(text) ?? { address: '' })).toBe(text);
  });
});

test.each([
  ['0', false],
  ['1', true],
  ['9', true],
  ['65535', true],
  ['65536', false],
  ['080', false],
  ['1e3', false],
  ['80 ', false],
  ['-1', false],
  ['', false],
])('%j is a port: %j', (text, expected) => {
  expect(isPort(text)).toBe(expected);
});

test('the error for an invalid destination lists what is valid', () => {
  expect(invalidDestination('web')).toBe(
    'invalid address "web". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. ' +
      'Protocols: icmp, icmpv4, igmp, tcp, udp, icmpv6. Only tcp and udp have ports, from 1 to 65535.',
  );
});
