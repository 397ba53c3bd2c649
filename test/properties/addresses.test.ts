import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { isHostAddress, isLoopback, parseAddress } from '../../src/net/address.ts';
import { isHostIn, networkOf } from '../../src/net/prefix.ts';

const address = fc.ipV4();
const length = fc.integer({ min: 0, max: 32 });

describe('IPv4 without ipaddr.js is as with it', () => {
  test('which texts are addresses', () => {
    const part = fc.oneof(
      fc.integer({ min: -1, max: 300 }).map(String),
      fc.constantFrom('', '00', '0x1', '1e1', ' 1', '+1', '01'),
    );
    const text = fc.oneof(
      address,
      fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(parseAddress(given)).toBe(ipaddr.IPv4.isValidFourPartDecimal(given) ? given : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test('the network of a prefix', () => {
    fc.assert(
      fc.property(address, length, (given, bits) => {
        const expected = ipaddr.IPv4.networkAddressFromCIDR(`${given}/${bits}`).toString();
        expect(networkOf({ address: given, length: bits })).toEqual({ address: expected, length: bits });
      }),
    );
  });

  test('the broadcast address, which no host has', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 30 }), (given, bits) => {
        const broadcast = ipaddr.IPv4.broadcastAddressFromCIDR(`${given}/${bits}`).toString();
        expect(isHostIn({ address: given, length: bits }, broadcast)).toBe(false);
        const before = ipaddr.fromByteArray(
          ipaddr.IPv4.parse(broadcast)
            .toByteArray()
            .with(3, Number(broadcast.split('.')[3]) ^ 1),
        );
        expect(isHostIn({ address: given, length: bits }, before.toString())).toBe(true);
      }),
    );
  });

  test('which addresses are special', () => {
    const special = fc.constantFrom(0, 126, 127, 128, 223, 224, 239, 240, 255);
    const octet = fc.oneof(special, fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const given = octets.join('.');
        const range = ipaddr.IPv4.parse(given).range();
        expect(isLoopback(given)).toBe(range === 'loopback');
        expect(isHostAddress(given)).toBe(
          !['unspecified', 'loopback', 'multicast', 'broadcast'].includes(range),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
