import { describe, expect, test } from 'vitest';
import { formatMac, macFromAddress, parseUnicastMac } from '../../../src/net/mac.ts';

describe('a MAC address', () => {
  test('has colons and lower case in a CNI result', () => {
    expect(formatMac('0E-2A-0a-F4-01-05')).toBe('0e:2a:0a:f4:01:05');
  });

  test.each([
    ['02:11:0a:f4:02:0c', '02-11-0A-F4-02-0C'],
    ['FE-FF-FF-FF-FF-FF', 'FE-FF-FF-FF-FF-FF'],
    ['00-00-00-00-00-00', undefined],
    ['0f:2a:00:00:00:01', undefined],
    ['02:11:0a:f4:02:0c:0d', undefined],
  ])('%j of an interface is %j', (text, canonical) => {
    expect(parseUnicastMac(text)).toBe(canonical);
  });

  test('can be derived from two octets and an IPv4 address', () => {
    expect(macFromAddress('0E-2A', '10.244.1.5')).toBe('0E-2A-0A-F4-01-05');
  });

  test('can be derived from two octets and the end of an IPv6 address', () => {
    expect(macFromAddress('02-11', 'fd00::a:1:2')).toBe('02-11-00-01-00-02');
  });
});
