import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isHostAddress, isLoopback, parseAddress } from '../../src/net/address.ts';
import { isHostIn, networkOf } from '../../src/net/prefix.ts';
import type { Property } from './property.ts';

const length = fc.integer({ min: 0, max: 32 });
const part = fc.oneof(
  fc.integer({ min: -1, max: 300 }).map(String),
  fc.constantFrom('', '00', '0x1', '1e1', ' 1', '+1', '01'),
);
const dotted = fc.oneof(
  fc.ipV4(),
  fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
);
const octet = fc.oneof(
  fc.constantFrom(0, 126, 127, 128, 223, 224, 239, 240, 255),
  fc.integer({ min: 0, max: 255 }),
);
const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength: 5 });
const word = fc.oneof(fc.constantFrom('', '0', 'ffff', '00', '1.2.3.4', '1.2.3', '01.2.3.4', 'g'), digits);
const withColons = fc.oneof(
  fc.ipV6(),
  fc.array(word, { minLength: 2, maxLength: 9 }).map((words) => words.join(':')),
);
const ipv6 = fc.ipV6().filter((text) => parseAddress(text)?.includes(':') === true);
const runs = { test: 1000, fuzz: 10_000 };

export const addressProperties: readonly Property[] = [
  {
    name: 'an IPv4 address has four decimal numbers up to 255, without leading zeros',
    property: fc.property(dotted, (text) => {
      assert.equal(parseAddress(text), ipaddr.IPv4.isValidFourPartDecimal(text) ? text : undefined);
    }),
    runs,
  },
  {
    name: 'the network of an IPv4 prefix is that of ipaddr.js',
    property: fc.property(fc.ipV4(), length, (address, bits) => {
      const expected = ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString();
      assert.deepEqual(networkOf({ address, length: bits }), { address: expected, length: bits });
    }),
    runs,
  },
  {
    name: 'every address of an IPv4 prefix except the network and the broadcast address is a host',
    property: fc.property(fc.ipV4(), fc.integer({ min: 0, max: 30 }), (address, bits) => {
      const prefix = { address, length: bits };
      const broadcast = ipaddr.IPv4.broadcastAddressFromCIDR(`${address}/${bits}`);
      const octets = broadcast.toByteArray();
      const before = octets.with(3, (octets[3] ?? 0) - 1).join('.');
      assert.equal(isHostIn(prefix, networkOf(prefix).address), false);
      assert.equal(isHostIn(prefix, broadcast.toString()), false);
      assert.equal(isHostIn(prefix, before), true);
    }),
    runs,
  },
  {
    name: 'IPv4 addresses are special as in ipaddr.js',
    property: fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
      const range = ipaddr.IPv4.parse(octets.join('.')).range();
      assert.equal(isLoopback(octets.join('.')), range === 'loopback');
      const noHost = ['unspecified', 'loopback', 'multicast', 'broadcast'];
      assert.equal(isHostAddress(octets.join('.')), !noHost.includes(range));
    }),
    runs,
  },
  {
    name: 'an IPv6 address is one where Node says so, with the canonical text of URLs, except for mapped addresses',
    property: fc.property(withColons, (text) => {
      const canonical = isIPv6(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined;
      const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical ?? '') ?? [];
      const mapped = [high, low].flatMap((group) => [Number(`0x${group}`) >> 8, Number(`0x${group}`) & 255]);
      assert.equal(parseAddress(text), high === '' ? canonical : mapped.join('.'));
    }),
    runs: { test: 3000, fuzz: 30_000 },
  },
  {
    name: 'the network of an IPv6 prefix is that of ipaddr.js',
    property: fc.property(ipv6, fc.integer({ min: 0, max: 128 }), (text, bits) => {
      const address = parseAddress(text) ?? '';
      const expected = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
      fc.pre(!expected.isIPv4MappedAddress());
      assert.equal(networkOf({ address, length: bits }).address, expected.toRFC5952String());
    }),
    runs,
  },
  {
    name: 'IPv6 addresses are special as in ipaddr.js',
    property: fc.property(
      fc.oneof(ipv6, fc.constantFrom('::', '::1', '::2', 'ff02::1', 'fe80::1')),
      (text) => {
        const address = parseAddress(text) ?? '';
        const range = ipaddr.IPv6.parse(address).range();
        assert.equal(isLoopback(address), range === 'loopback');
        assert.equal(isHostAddress(address), !['unspecified', 'loopback', 'multicast'].includes(range));
      },
    ),
    runs,
  },
];
