import { expect, test } from 'vitest';
import { protocolName, protocolNumbers } from '../../../src/net/protocols.ts';

test.each([
  [58, 'icmpv6'],
  [256, 'any'],
])('protocol number %i has the name %s', (number, name) => {
  expect(protocolName(number)).toBe(name);
});

test('the names of a configuration have the numbers of IANA', () => {
  expect(protocolNumbers).toEqual({ icmp: 1, icmpv4: 1, igmp: 2, tcp: 6, udp: 17, icmpv6: 58 });
});
