import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'));
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(read('schemas/policies.schema.json'));
ajv.addSchema(read('schemas/win-hcn.schema.json'));
const validate = ajv.compile(read('schemas/conflist.schema.json'));

test.each(['l2bridge', 'overlay'])('the %s example is valid for an editor', (name) => {
  expect(validate(read(`conflist-examples/${name}.conflist`))).toBe(true);
});

test('an editor finds a typo in a win-hcn plugin, and accepts any other plugin', () => {
  const list = read('conflist-examples/l2bridge.conflist');
  expect(validate({ ...list, plugins: [{ ...list.plugins[0], subnetz: [] }] })).toBe(false);
  expect(validate({ ...list, plugins: [...list.plugins, { type: 'portmap', anything: true }] })).toBe(true);
});
