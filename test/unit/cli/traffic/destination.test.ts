import { expect, test } from 'vitest';
import { invalidDestination, isPort, parseDestination } from '../../../../src/cli/traffic/destination.ts';

test.each([
  ['10.9.0.7', { address: '10.9.0.7', protocol: 1 }],
  ['10.9.0.7:443', { address: '10.9.0.7', port: 443, protocol: 6 }],
  ['10.9.0.7:53/UDP', { address: '10.9.0.7', port: 53, protocol: 17 }],
  ['10.9.0.7/igmp', { address: '10.9.0.7', protocol: 2 }],
  ['FD00::0:7', { address: 'fd00::7', protocol: 58 }],
  ['[fd00::7]', { address: 'fd00::7', protocol: 58 }],
  ['[::1]:1', { address: '::1', port: 1, protocol: 6 }],
  ['::ffff:10.9.0.7', { address: '10.9.0.7', protocol: 1 }],
])('%s is a destination', (text, expected) => {
  expect(parseDestination(text)).toEqual(expected);
});

test.each([
  '',
  'web',
  'example.org:443',
  '10.9.0.0/16',
  '10.9.0.7:0',
  '10.9.0.7:',
  '10.9.0.7:443/icmp',
  '10.9.0.7/tcp',
  '10.9.0.7/sctp',
  '10.9.0.7/icmp/udp',
  '[10.9.0.7]:443',
  '[fd00::7]443',
  'fd00::7]:443',
  'fd00::7%eth0',
])('%j is no destination', (text) => {
  expect(parseDestination(text)).toBeUndefined();
});

test.each([
  ['0', false],
  ['1', true],
  ['65535', true],
  ['65536', false],
  ['080', false],
  ['-1', false],
])('%j is a port: %j', (text, expected) => {
  expect(isPort(text)).toBe(expected);
});

test('the error for an invalid destination lists what is valid', () => {
  expect(invalidDestination('web')).toBe(
    'invalid address "web". Use ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with an optional /PROTOCOL: 10.96.0.10:53/udp. ' +
      'Protocols: icmp, icmpv4, igmp, tcp, udp, icmpv6. tcp and udp, and only they, need a port from 1 to 65535.',
  );
});
