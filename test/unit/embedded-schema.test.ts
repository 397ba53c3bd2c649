import { expect, test } from 'vitest';
import { embeddedFiles, embeddedSchema } from '../../packaging/embedded-schema.mjs';

test('an embedded schema comes with the files it refers to', () => {
  const filesOf = (name: string) => Object.keys(embeddedFiles(name));
  expect(filesOf('win-hcn.schema.json')).toEqual(['win-hcn.schema.json', 'policies.schema.json']);
  expect(filesOf('policies.schema.json')).toEqual(['policies.schema.json']);
});

test("an embedded schema has the keywords of the plugin's validator in their order, and no descriptions", () => {
  const schema = {
    description: 'A key can have the name of a keyword.',
    properties: {
      description: { minimum: 1, description: 'A number.', type: 'integer', default: 1, examples: [2] },
    },
    allOf: [{ required: ['description'], 'x-expected': 'a number' }],
  };
  expect(JSON.stringify(embeddedSchema(schema, 'a.json'))).toBe(
    JSON.stringify({
      allOf: [{ required: ['description'], 'x-expected': 'a number' }],
      properties: { description: { type: 'integer', minimum: 1 } },
    }),
  );
});

test("a keyword that the plugin's validator does not have is refused", () => {
  const schema = { anyOf: [{ properties: { a: { uniqueItems: true } } }] };
  expect(() => embeddedSchema(schema, 'a.json')).toThrow(
    'src/config/schema-validator.ts has no keyword "uniqueItems": a.json/anyOf/properties/a',
  );
});
