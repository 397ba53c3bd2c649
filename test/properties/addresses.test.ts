import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { isHostAddress, isLoopback, parseAddress } from '../../src/net/address.ts';
import { isHostIn, networkOf } from '../../src/net/prefix.ts';

const address = fc.ipV4();
const length = fc.integer({ min: 0, max: 32 });

describe('IPv4', () => {
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

describe('IPv6', () => {
  const digits = fc.string({
    unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
    minLength: 0,
    maxLength: 5,
  });
  const word = fc.oneof(fc.constantFrom('', '0', 'ffff', '00', '1.2.3.4', '1.2.3', '01.2.3.4', 'g'), digits);
  const anyText = fc.oneof(
    fc.ipV6(),
    fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(':')),
  );

  test('is an address where Node says so, with the canonical text of URLs, except for IPv4-mapped addresses', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        if (!given.includes(':')) return;
        const canonical = isIPv6(given) ? new URL(`http://[${given}]`).hostname.slice(1, -1) : undefined;
        const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical ?? '') ?? [];
        const mapped = [high, low].flatMap((group) => [
          Number(`0x${group}`) >> 8,
          Number(`0x${group}`) & 255,
        ]);
        expect(parseAddress(given)).toBe(high === '' ? canonical : mapped.join('.'));
      }),
      { numRuns: 5000 },
    );
  });

  test('the network of a prefix', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (given, bits) => {
        const own = parseAddress(given) ?? '';
        if (!own.includes(':')) return;
        const expected = ipaddr.IPv6.networkAddressFromCIDR(`${own}/${bits}`);
        if (expected.isIPv4MappedAddress()) return;
        expect(networkOf({ address: own, length: bits }).address).toBe(expected.toRFC5952String());
      }),
    );
  });

  test('which addresses are special', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.constantFrom('::', '::1', '::2', 'ff02::1', 'fe80::1')), (given) => {
        const own = parseAddress(given) ?? '';
        if (!own.includes(':')) return;
        const range = ipaddr.IPv6.parse(own).range();
        expect(isLoopback(own)).toBe(range === 'loopback');
        expect(isHostAddress(own)).toBe(!['unspecified', 'loopback', 'multicast'].includes(range));
      }),
    );
  });
});
