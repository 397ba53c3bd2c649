import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { embeddedSchema } from '../../packaging/embedded-schema.mjs';
import { checkPlugin } from '../../src/cli/conflist/check-file.ts';
import { CniError } from '../../src/cni/error.ts';
import { readVersion } from '../../src/cni/version.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { describeProblem, InvalidConfig } from '../../src/config/problems.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { validator } from '../../src/config/schema-validator.ts';
import { isObject, type JsonObject } from '../../src/json/members.ts';
import { refusalsOf, refusalsOfAjv, validateAsAjv, withoutSchema } from '../unit/config/as-ajv.ts';
import { change, changed } from './changes.ts';
import { configuration } from './configurations.ts';
import type { Property } from './property.ts';

const changes = fc.array(change, { maxLength: 6 });

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

function members(json: unknown): JsonObject {
  return isObject(json) ? json : {};
}

/** The problems of the error with which ADD refuses a configuration. */
function problemsOfAdd(given: JsonObject): readonly string[] {
  try {
    const opened = openConfig(given, 'win-hcn.exe', '');
    readVersion(opened.json['cniVersion']);
    readNetworkConfig(opened.json, {}, opened);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfig) return error.problems.map(describeProblem);
    if (error instanceof CniError) return [[error.message, error.details].filter(Boolean).join('; ')];
    throw error;
  }
}

const options = { strict: false, allErrors: true, verbose: true, unicodeRegExp: false };

const key = fc.constantFrom('a', 'b', 'a/b~c', 'toString');
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, -2, '', 'a', 'ab', 'b ');
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    // Not empty: to ajv, `contains` accepts an empty list that follows an accepted one in the same loop.
    fc.array(tie('json'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(key, tie('json')),
  ),
}));

const type = fc.constantFrom('null', 'boolean', 'object', 'array', 'integer', 'string');
const pattern = fc.constantFrom('a', '^b', '^$', '\\S');
/** A member of a schema that has no other schemas. */
const simple = fc.oneof(
  entry('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1 }))),
  entry('const', scalar),
  entry('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 6 })),
  entry('maximum', fc.constantFrom(0, 1, 1.5)),
  entry('minimum', fc.constantFrom(-1, 0, 1)),
  entry('pattern', pattern),
  entry('minItems', fc.nat({ max: 3 })),
  entry('required', fc.uniqueArray(key, { minLength: 1, maxLength: 2 })),
);

function entry(keyword: string, value: fc.Arbitrary<unknown>) {
  return fc.tuple(fc.constant(keyword), value);
}

function schemaOf(entries: typeof simple): fc.Arbitrary<object> {
  const unique = { selector: ([keyword]: readonly [string, unknown]) => keyword, minLength: 1, maxLength: 4 };
  return fc.uniqueArray(entries, unique).map((members) => Object.fromEntries(members));
}

const { schema } = fc.letrec<{ schema: object | false }>((tie) => {
  const one = tie('schema');
  const list = fc.array(one, { minLength: 1, maxLength: 2 });
  const nested = fc.oneof(
    ...['not', 'if', 'then', 'else', 'contains', 'items', 'additionalProperties'].map((name) =>
      entry(name, one),
    ),
    ...['anyOf', 'allOf'].map((name) => entry(name, list)),
    entry('properties', fc.dictionary(key, one, { minKeys: 1, maxKeys: 2 })),
    entry('patternProperties', fc.dictionary(pattern, one, { minKeys: 1, maxKeys: 2 })),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: schemaOf(simple) },
      { weight: 8, arbitrary: schemaOf(fc.oneof(simple, nested)) },
      { weight: 1, arbitrary: fc.constant<false>(false) },
    ),
  };
});

/** The plugin's validator refuses what ajv refuses. */
export const schemaValidatorProperties: readonly Property[] = [
  {
    name: 'a changed configuration has the problems that ajv finds, in their order',
    property: fc.property(configuration, changes, ({ config }, changes) => {
      const { json } = openConfig(config, 'win-hcn.exe', '');
      validateAsAjv(asJson(changed(json, changes)));
    }),
    runs: { test: 2000, fuzz: 20_000 },
  },
  {
    name: 'validate finds every problem of a changed configuration that ADD finds, and only ranges that fail later',
    property: fc.property(configuration, changes, ({ config }, changes) => {
      const given = { name: 'n', cniVersion: '1.0.0', ...members(asJson(changed(config, changes))) };
      const plugin = { path: '', type: '', ours: true, config: given, ownVersion: '1.0.0' };
      const { problems } = checkPlugin(plugin, 'win-hcn.exe');
      const isLater = (text: string) => /: (ADD fails|host-local refuses every ADD)$/.test(text);
      const found = problems.map(({ text }) => text).filter((text) => !isLater(text));
      const refused = problemsOfAdd(given);
      assert.deepEqual(
        refused.filter((text) => !found.includes(text)),
        [],
      );
      assert.equal(found.length === 0, refused.length === 0);
    }),
    runs: { test: 2000, fuzz: 20_000 },
  },
  {
    name: 'any schema of the same keywords refuses what ajv refuses',
    property: fc.property(schema, fc.array(json, { minLength: 1, maxLength: 20 }), (schema, values) => {
      const compiled = new Ajv(options).compile(schema);
      const validate = validator({ a: JSON.stringify(embeddedSchema(schema, 'a')) }, 'a');
      const inAnyOrder = (refusals: ReturnType<typeof refusalsOf>) =>
        refusals.map((one) => JSON.stringify(withoutSchema(one))).toSorted();
      for (const value of values) {
        assert.deepEqual(inAnyOrder(refusalsOf(validate, value)), inAnyOrder(refusalsOfAjv(compiled, value)));
      }
    }),
    runs: { test: 300, fuzz: 3000 },
  },
];
