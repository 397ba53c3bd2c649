import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Policy } from '../../src/hcn/documents.ts';
import { canonicalPrefix, contains, parsePrefix, withLength } from '../../src/net/prefix.ts';
import { mergeOutboundNat } from '../../src/plan/outbound-nat.ts';

/** Few bits vary, so that prefixes meet. */
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

/** What the policies that translate everything to an address except. */
function exceptionsOf(all: readonly Policy[], virtualIP: unknown, flags: number): readonly string[] {
  return all
    .filter((policy) => policy.Type === 'OutBoundNAT' && listOf(policy, 'Destinations').length === 0)
    .filter(({ Settings }) => Settings?.['VirtualIP'] === virtualIP && (Settings?.['Flags'] ?? 0) === flags)
    .flatMap((policy) => listOf(policy, 'Exceptions'));
}

test('merging outbound NAT excepts the same addresses', () => {
  fc.assert(
    fc.property(
      policies,
      address,
      fc.constantFrom(undefined, '10.0.0.4', '10.0.0.5'),
      fc.constantFrom(0, 1),
      (all, probe, virtualIP, flags) => {
        const before = includes(exceptionsOf(all, virtualIP, flags), probe);
        const after = includes(exceptionsOf(mergeOutboundNat(all), virtualIP, flags), probe);
        expect(after).toBe(before);
      },
    ),
    { numRuns: 1000 },
  );
});

test('merging outbound NAT a second time changes nothing', () => {
  fc.assert(
    fc.property(policies, (all) => {
      const merged = mergeOutboundNat(all);
      expect(mergeOutboundNat(merged)).toEqual(merged);
    }),
    { numRuns: 1000 },
  );
});

test('after merging no list has an entry within another, and no other policy is touched', () => {
  fc.assert(
    fc.property(policies, (all) => {
      const merged = mergeOutboundNat(all);
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
          expect(includes(larger, own?.address ?? '')).toBe(false);
        }
      }
      const rest = (list: readonly Policy[]) => list.filter(({ Type }) => Type !== 'OutBoundNAT');
      expect(rest(merged)).toEqual(rest(all));
    }),
    { numRuns: 1000 },
  );
});
