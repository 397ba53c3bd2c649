import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import { isAddress, isHarmless } from '../../src/cli/collect/harmless.ts';
import { isKnownKey } from '../../src/cli/collect/known-keys.ts';
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

/** Text of a value in a file that is not win-hcn's: harmless, odd or with a secret. */
const foreignText = fc.oneof(
  odd,
  fc.constantFrom(
    '10.244.1.0/24',
    'l2bridge',
    'C:\\k\\a b.log',
    '1.0.0',
    'me:hunter2@proxy:3128',
    'k=hunter2',
  ),
);
const foreignValue: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(foreignText, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('name', 'mtu', 'subnets', 'acme', 'env', 'token'), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;

const marks = /^<(?:redacted|omitted: \w+ of \d+ characters?)>$/;

/** Checks that a value is the given one but for marks, and that no text remains that is not known to be harmless. */
function checkForeign(given: unknown, clean: unknown, name: string): void {
  if (Array.isArray(given) && Array.isArray(clean)) {
    assert.equal(clean.length, given.length);
    for (const [index, item] of given.entries()) checkForeign(item, clean[index], name);
  } else if (typeof given === 'object' && given !== null) {
    assert.deepEqual(Object.keys(clean as Node), Object.keys(given));
    for (const [key, member] of Object.entries(given)) checkForeign(member, (clean as Node)[key], key);
  } else if (typeof clean === 'string' && !marks.test(clean)) {
    assert.ok(!clean.includes('hunter2'), clean);
    if (clean.includes('<redacted>')) return;
    assert.equal(clean, given);
    const isKept = isKnownKey(name) ? isHarmless(clean) : isAddress(clean);
    assert.ok(isKept || /^[^\p{L}\p{N}]?$/u.test(clean), `${name}: ${clean}`);
  } else if (typeof clean !== 'string') assert.equal(clean, given);
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
  {
    name: 'a file of another program keeps its form, and no text that is not known to be harmless',
    property: fc.property(foreignValue, fc.constantFrom(0, 2), (given, indent) => {
      const { text } = redactForeign(JSON.stringify(given, undefined, indent), 'JSON');
      checkForeign(given, JSON.parse(text), '');
    }),
    runs: { test: 1000, fuzz: 5000 },
  },
  {
    name: 'no secret remains in a file of another program, however it is damaged',
    property: fc.property(
      odd,
      fc.nat(),
      fc.constantFrom('acme', 'token', 'Key'),
      fc.constantFrom('JSON' as const, 'TOML' as const),
      (damage, place, name, syntax) => {
        const secret = 'hunter2 %';
        const json = JSON.stringify({ a: damage, [name]: secret, b: [damage, { [name]: secret }] });
        const toml = `a = ${JSON.stringify(damage)}\n[x]\n${name} = ${JSON.stringify(secret)} # ${secret}\n${damage}`;
        const whole = syntax === 'JSON' ? json : toml;
        const text = redactForeign(whole.slice(0, place % (whole.length + 1)), syntax).text;
        assert.ok(!text.includes('hunter2'), text);
      },
    ),
    runs: { test: 1000, fuzz: 5000 },
  },
];
