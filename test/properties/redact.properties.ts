import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import { redact } from '../../src/cli/collect/redact.ts';
import { redactForeign } from '../../src/cli/collect/redact-foreign.ts';
import type { Property } from './property.ts';

/** Strings of special characters in JSON. */
const odd = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', '=', ',', ' ', '\n', 'a'),
});
const plainName = fc.constantFrom('a', 'Name', 'Settings', 'n n');
const secretName = fc.constantFrom('Key', 'token', 'client_secret', 'auth');

interface Node {
  readonly [name: string]: unknown;
}

/** A JSON value, before and after redaction. */
const value: Arbitrary<readonly [unknown, unknown]> = fc.letrec<{ value: readonly [unknown, unknown] }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(odd, fc.integer(), fc.boolean(), fc.constant(null)).map((leaf) => [leaf, leaf] as const),
      fc
        .array(tie('value'), { maxLength: 3 })
        .map((items) => [items.map(([one]) => one), items.map(([, redacted]) => redacted)] as const),
      fc
        .record({
          plain: fc.dictionary(plainName, tie('value'), { maxKeys: 2 }),
          secret: fc.dictionary(secretName, tie('value'), { maxKeys: 2 }),
        })
        .map(({ plain, secret }) => {
          const given: Node = mapped({ ...plain, ...secret }, ([one]) => one);
          const redacted: Node = {
            ...mapped(plain, ([, rest]) => rest),
            ...mapped(secret, ([one]) => withoutValue(one)),
          };
          return [given, redacted] as const;
        }),
    ),
  }),
).value;

function mapped<T>(members: Readonly<Record<string, T>>, map: (member: T) => unknown): Node {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]));
}

/** Booleans, null and empty strings are not secret. */
function withoutValue(given: unknown): unknown {
  return typeof given === 'boolean' || given === null || given === '' ? given : '<redacted>';
}

/** JSON nested in a JSON string `times` times. */
function nested(json: string, times: number): string {
  return times === 0 ? json : nested(JSON.stringify({ line: json }), times - 1);
}

export const redactProperties: readonly Property[] = [
  {
    name: 'redaction changes only the values of secret names in JSON, also in JSON within JSON',
    property: fc.property(
      value,
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom(0, 2),
      ([given, redacted], times, indent) => {
        const text = nested(JSON.stringify(given, undefined, indent), times);
        let json = redact(text).text;
        for (let level = 0; level < times; level += 1) json = JSON.parse(json).line;
        assert.deepEqual(JSON.parse(json), redacted);
      },
    ),
    runs: { test: 1000, fuzz: 5000 },
  },
  {
    name: 'a secret in damaged or truncated text is redacted',
    property: fc.property(odd, fc.nat(), (damage, place) => {
      const json = JSON.stringify({ a: damage, Key: 'hunter2', b: damage });
      const broken = json.slice(0, place % json.length);
      assert.ok(!redact(broken).text.includes('hunter2'), redact(broken).text);
      assert.ok(
        !redactForeign(`a = ${JSON.stringify(damage)}\nkey = "hunter2"\n`, 'TOML').text.includes('hunter2'),
      );
    }),
    runs: { test: 1000, fuzz: 5000 },
  },
  {
    name: 'a secret in command lines, URLs, headers or YAML is redacted, whatever characters it contains',
    property: fc.property(
      fc.string({ unit: fc.constantFrom('a', '1', '/', '+', '=', '.', ':', '$', '%', '('), maxLength: 8 }),
      fc.constantFrom(
        (secret: string) => `k.exe --token "my ${secret}" --v=2`,
        (secret: string) => `"k.exe" "--token" "${secret}"`,
        (secret: string) => `Password : my ${secret} it is`,
        (secret: string) => `sent Cookie: a=b; c=${secret}; d`,
        (secret: string) => `users:\n- name: a\n  user:\n    token: |\n      ${secret}\n`,
        (secret: string) => `- name: TOKEN\n  value: ${secret}`,
      ),
      (odd, place) => {
        const text = place(`${odd}hunter2${odd}`);
        assert.ok(!redact(text).text.includes('hunter2'), redact(text).text);
      },
    ),
    runs: { test: 1000, fuzz: 5000 },
  },
];
