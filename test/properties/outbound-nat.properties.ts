import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Policy } from '../../src/hcn/documents.ts';
import { familyOf } from '../../src/net/address.ts';
import { canonicalPrefix, contains, parsePrefix, withLength } from '../../src/net/prefix.ts';
import { mergeOutboundNat } from '../../src/plan/outbound-nat.ts';
import type { Property } from './property.ts';

/** Few bits vary, so that prefixes overlap. */
const address = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 7 })).map(([a, b]) => `10.0.${a}.${b}`),
  fc.integer({ min: 0, max: 15 }).map((a) => `fd00::${a.toString(16)}`),
);
const exception = fc.oneof(
  address,
  fc
    .tuple(address, fc.integer({ min: 0, max: 16 }))
    .map(([text, short]) => `${text}/${(text.includes(':') ? 128 : 32) - short}`),
);
const settings = fc.record(
  {
    VirtualIP: fc.constantFrom('10.0.0.4', '10.0.0.5'),
    Flags: fc.constantFrom(0, 1),
    Exceptions: fc.array(exception, { maxLength: 6 }),
    Destinations: fc.array(exception, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const policies: fc.Arbitrary<readonly Policy[]> = fc.array(
  fc.oneof(
    fc.record({ Type: fc.constant('OutBoundNAT'), Settings: settings }),
    fc.constant({ Type: 'L2Driver' }),
  ),
  { maxLength: 6 },
);

function listOf({ Settings }: Policy, member: string): readonly string[] {
  const list = Settings?.[member];
  return Array.isArray(list) ? list.map(String) : [];
}

function includes(prefixes: readonly string[], text: string): boolean {
  return prefixes.some((prefix) => {
    const parsed = parsePrefix(withLength(canonicalPrefix(prefix) ?? ''));
    return parsed !== undefined && contains(parsed, text);
  });
}

/** Returns the exceptions of the policies that translate everything to an address. */
function exceptionsOf(all: readonly Policy[], virtualIP: unknown, flags: number): readonly string[] {
  return all
    .filter((policy) => policy.Type === 'OutBoundNAT' && listOf(policy, 'Destinations').length === 0)
    .filter(({ Settings }) => Settings?.['VirtualIP'] === virtualIP && (Settings?.['Flags'] ?? 0) === flags)
    .flatMap((policy) => listOf(policy, 'Exceptions'));
}

export const outboundNatProperties: readonly Property[] = [
  {
    name: 'merging outbound NAT excepts the same addresses, of a virtual address those of its family',
    property: fc.property(
      policies,
      address,
      fc.constantFrom(undefined, '10.0.0.4', '10.0.0.5'),
      fc.constantFrom(0, 1),
      (all, probe, virtualIP, flags) => {
        const before = includes(exceptionsOf(all, virtualIP, flags), probe);
        const after = includes(exceptionsOf(mergeOutboundNat(all, []), virtualIP, flags), probe);
        assert.equal(after, before && (virtualIP === undefined || !probe.includes(':')));
      },
    ),
    runs: { test: 1000, fuzz: 2000 },
  },
  {
    name: 'after merging each list has one family, of those the endpoint has',
    property: fc.property(policies, fc.subarray(['IPv4', 'IPv6'] as const), (all, of) => {
      const lists = mergeOutboundNat(all, of).flatMap((policy) => [
        listOf(policy, 'Exceptions'),
        listOf(policy, 'Destinations'),
      ]);
      for (const list of lists) {
        const found = [...new Set(list.map((text) => familyOf(text)))];
        assert.ok(found.length <= 1);
        assert.ok(of.length === 0 || found.every((family) => of.includes(family)));
      }
    }),
    runs: { test: 1000, fuzz: 2000 },
  },
  {
    name: 'after merging no list has an entry within another, and no other policy is touched',
    property: fc.property(policies, (all) => {
      const merged = mergeOutboundNat(all, []);
      for (const list of merged.flatMap((policy) => [
        listOf(policy, 'Exceptions'),
        listOf(policy, 'Destinations'),
      ])) {
        for (const [index, text] of list.entries()) {
          const others = list.filter((_, other) => other !== index);
          const own = parsePrefix(withLength(text));
          const larger = others.filter(
            (other) => (parsePrefix(withLength(other))?.length ?? 0) <= (own?.length ?? 0),
          );
          assert.ok(!includes(larger, own?.address ?? ''));
        }
      }
      const rest = (list: readonly Policy[]) => list.filter(({ Type }) => Type !== 'OutBoundNAT');
      assert.deepEqual(rest(merged), rest(all));
    }),
    runs: { test: 1000, fuzz: 2000 },
  },
];
