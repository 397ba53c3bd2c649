import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ajvValidator } from '../../packaging/ajv-validator.mjs';
import { readTimeout } from '../../src/config/essential-keys.ts';
import { networkTypes } from '../../src/config/network-config.ts';
import { normalizeConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { capabilities } from '../reference/capabilities.ts';
import { configurationPage } from '../reference/configuration.ts';
import { type Key, SchemaFile } from '../reference/schema.ts';

test('docs/configuration.md matches the schemas and examples: run npm run pages after a change', () => {
  expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationPage());
});

const l2bridge = {
  name: 'l2bridge',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  ipam: { type: 'host-local' },
  defaultAction: 'Allow',
};
/** Whether a value was given, and which. */
type Given = readonly [value: unknown] | readonly [];

/** A configuration that has the key with a value, or lacks it. Keys around it are as in their examples. */
function configWith(keys: readonly Key[], { parents, name, refusedBy }: Key, given: Given): object {
  const isEncapsulated = JSON.stringify(given).includes('providerAddress');
  const allowed = networkTypes.filter((one) => !refusedBy.includes(one));
  const networkType = isEncapsulated ? 'Overlay' : allowed[0];
  const vsid = networkType === 'Overlay' && { vsid: 4096 };
  const config = { ...l2bridge, networkType, subnets: [{ subnet: '10.244.1.0/24', ...vsid }] };
  return place(config, keys, [...parents, name], given);
}

function place(
  object: object,
  keys: readonly Key[],
  [name = '', ...rest]: readonly string[],
  given: Given,
): object {
  const { [name]: present, ...others }: Record<string, unknown> = { ...object };
  if (rest.length === 0) return given.length === 0 ? others : { ...others, [name]: given[0] };
  const key = keys.find((one) => one.name === name);
  const isRouted = Reflect.get(object, 'networkType') === 'L2Bridge';
  const outer =
    name === 'subnets' ? present : key?.schema.examples?.[name === 'remoteSubnets' && !isRouted ? 1 : 0];
  const inner = (value: unknown) => place(Object(value), key?.members ?? [], rest, given);
  return {
    ...others,
    [name]: Array.isArray(outer) ? [inner(outer.find((one) => typeof one === 'object'))] : inner(outer),
  };
}

function withMembers(keys: readonly Key[]): readonly Key[] {
  return keys.flatMap((key) => [key, ...withMembers(key.members)]);
}

function pathOf({ parents, name }: Key): string {
  return [...parents, name].join('.');
}

const pluginKeys = new SchemaFile('win-hcn').keys();
const read = (config: object) => [
  readNetworkConfig(normalizeConfig({ ...config })),
  readTimeout({ ...config }),
];
describe('in the schema of the configuration', () => {
  const all = withMembers(pluginKeys);
  const examples = all.flatMap((key) =>
    (key.schema.examples ?? []).map((example) => ({ key, path: pathOf(key), example })),
  );

  test('every key has an example, except keys that a person does not write', () => {
    const without = all.filter(
      (key) => key.schema.examples === undefined && key.description !== 'For the runtime.',
    );
    expect(without.map(pathOf)).toEqual(['$schema', 'prevResult', 'args']);
  });

  const validate = ajvValidator('win-hcn.schema.json');

  test.each(examples)('the example $example of $path is valid', ({ key, example }) => {
    const config = configWith(pluginKeys, key, [example]);
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    expect(() => read(config)).not.toThrow();
  });

  test.each(examples.filter(({ key }) => key.schema.default !== undefined))(
    'the default of $path is what win-hcn uses without the key',
    ({ key }) => {
      expect(read(configWith(pluginKeys, key, [key.schema.default]))).toEqual(
        read(configWith(pluginKeys, key, [])),
      );
    },
  );
});

test('every capability has the effect that the page states', () => {
  const runtimeConfig = Object.fromEntries(capabilities.map(({ name, example }) => [name, example]));
  expect(readNetworkConfig(normalizeConfig({ ...l2bridge, runtimeConfig }))).toMatchObject({
    dns: { nameservers: ['10.96.0.10'], search: ['shop.svc.cluster.local'], options: ['ndots:5'] },
    portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '10.0.0.4' }],
    egressBytes: 1_000_000,
    addresses: ['10.244.1.7/24'],
    macAddress: '00-15-5D-52-C0-07',
  });
});
