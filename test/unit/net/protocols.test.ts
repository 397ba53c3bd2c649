import { expect, test } from 'vitest';
import { protocolName } from '../../../src/net/protocols.ts';

test.each([
  [1, 'icmp'],
  [2, 'igmp'],
  [6, 'tcp'],
  [17, 'udp'],
  [58, 'icmpv6'],
  [132, 'protocol 132'],
  [256, 'any'],
])('protocol number %i has the name %s', (number, name) => {
  expect(protocolName(number)).toBe(name);
});
