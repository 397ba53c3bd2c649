import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalizeConfig, openConfig } from '../../../src/config/open-config.ts';
import { type Refusal, validator } from '../../../src/config/schema-validator.ts';
import type { JsonObject } from '../../../src/json/members.ts';
import { example } from '../../e2e/example.ts';
import { refusalsOf, validateAsAjv } from './as-ajv.ts';
import { policyExamples } from './policy-examples.ts';
import { publishedConfigs } from './published-configs.ts';
import { refusedEndpointPolicies, refusedNetworkPolicies } from './refused-policies.ts';

const withoutAction = { name: 'a', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] };
const config = { ...withoutAction, defaultAction: 'Allow' };

/** As ADD validates the configuration of a replaced plugin. */
function translated(given: JsonObject): object {
  return { defaultAction: 'Allow', ...openConfig(given, 'win-hcn.exe', '').json };
}

/** The keyword, the path and the key of each refusal. */
function described(refusals: readonly Refusal[]): readonly string[] {
  return refusals.map(({ keyword, path, key }) => `${keyword} ${path}${key === undefined ? '' : ` ${key}`}`);
}

describe('the validator agrees with ajv on', () => {
  const examples = readdirSync('conflist-examples').map((file) => file.replace('.conflist', ''));

  test.each(examples)('the example %s, which is valid', (name) => {
    expect(validateAsAjv('win-hcn', example(name))).toEqual([]);
  });

  test.each(readdirSync('test/e2e/vectors'))('%s, which is valid when translated', (file) => {
    const vector = JSON.parse(readFileSync(`test/e2e/vectors/${file}`, 'utf8'));
    expect(validateAsAjv('win-hcn', vector.config)).not.toEqual([]);
    expect(validateAsAjv('win-hcn', translated(vector.config))).toEqual([]);
  });

  test.each(publishedConfigs)('the configuration of $source, which is valid when translated', (published) => {
    validateAsAjv('win-hcn', published.config);
    expect(validateAsAjv('win-hcn', translated(published.config))).toEqual([]);
  });

  test.each(policyExamples)(
    'the $level policy $type, which is valid when normalized',
    ({ level, policy }) => {
      const json = JSON.parse(JSON.stringify({ ...config, [`${level}Policies`]: [policy] }));
      validateAsAjv('win-hcn', json);
      expect(validateAsAjv('win-hcn', normalizeConfig(json))).toEqual([]);
    },
  );

  test.each([...refusedEndpointPolicies, ...refusedNetworkPolicies])(
    'the policy %s with %j',
    (Type, Settings) => {
      for (const key of ['endpointPolicies', 'networkPolicies']) {
        const json = JSON.parse(JSON.stringify({ ...config, [key]: [{ Type, Settings }] }));
        validateAsAjv('win-hcn', json);
      }
    },
  );
});

type Row = readonly [title: string, json: unknown, refusals: readonly string[]];

const refusedConfigs: readonly Row[] = [
  ['no object', [], ['type ']],
  [
    'missing keys',
    { networkType: 'L2Bridge', macPool: [{}] },
    ['required  subnets', 'required /macPool/0 start', 'required /macPool/0 end'],
  ],
  ['a missing key on which others depend', {}, ['required  networkType']],
  ['a key without the one that it requires', { ...config, macPrefix: '0E-2A' }, ['not /macPrefix']],
  ['an unknown key', { ...config, 'x-a': 0, 'cni.dev/a': 0, 'y-a': 0 }, ['additionalProperties  y-a']],
  [
    'keys that every object of JavaScript has',
    { ...config, ...JSON.parse('{"__proto__":{"mtu":1},"toString":0}') },
    ['additionalProperties  __proto__', 'additionalProperties  toString'],
  ],
  [
    'an invalid value of a key with any name',
    { ...config, capabilities: { dns: true, 'a/b~c': 'yes' } },
    ['type /capabilities/a~1b~0c'],
  ],
  [
    'a value outside an enumeration, but no key that depends on it',
    { ...config, networkType: 'l2bridge', hostEndpoint: {}, adapter: 'Ethernet' },
    ['enum /networkType'],
  ],
  [
    'a value that is invalid in two ways',
    { ...config, networkType: 'NAT', adapter: '' },
    ['false schema /adapter', 'pattern /adapter'],
  ],
  [
    'items of an Overlay network',
    { ...config, networkType: 'Overlay', subnets: [{ subnet: '', vlan: 1 }, { vsid: 4095 }] },
    [
      'required /subnets/0 vsid',
      'false schema /subnets/0/vlan',
      'required /subnets/1 subnet',
      'minimum /subnets/1/vsid',
    ],
  ],
  [
    'items of another network',
    { ...config, subnets: [{ vsid: 4096 }, 7], createNetwork: 'never' },
    ['false schema /subnets/0/vsid', 'required /subnets/0 subnet', 'type /subnets/1'],
  ],
  [
    'an empty list and a large number',
    { ...config, subnets: [], mtu: 576, hcnTimeoutSeconds: 121 },
    ['minItems /subnets', 'maximum /hcnTimeoutSeconds'],
  ],
  ['a number that is no integer', { ...config, mtu: 1450.5 }, ['type /mtu']],
  [
    'a value of neither of two types',
    { ...config, runtimeConfig: null, prevResult: {}, args: [] },
    ['type /args'],
  ],
  [
    'a value that no branch accepts',
    { ...config, acls: [{ action: 'Allow', direction: 'In', protocols: ['tcp', 256, 257, 'sctp'] }] },
    ['anyOf /acls/0/protocols/2', 'anyOf /acls/0/protocols/3'],
  ],
  [
    'ports and ranges',
    { ...config, acls: [{ action: 'Allow', direction: 'In', localPorts: [80, '80-', 0, 65536, null] }] },
    [
      'pattern /acls/0/localPorts/1',
      'minimum /acls/0/localPorts/2',
      'maximum /acls/0/localPorts/3',
      'type /acls/0/localPorts/4',
    ],
  ],
  [
    'a list with an item that requires a key',
    { ...withoutAction, endpointPolicies: [{ Type: 'L2Driver' }, { Type: 'ACL' }] },
    ['required  defaultAction', 'required /endpointPolicies/1 Settings'],
  ],
  ['an empty list', { ...withoutAction, endpointPolicies: [] }, []],
  ['a list without such an item', { ...withoutAction, endpointPolicies: [{ Type: 'L2Driver' }] }, []],
  [
    'policies',
    {
      ...config,
      endpointPolicies: [{}, { Type: '' }, { Type: 'VxlanPort' }, { Type: 'Newer', Settings: [] }, 'ACL'],
      networkPolicies: [{ Type: 'QOS' }, { Type: 'HostRoute' }, { Type: 'VxlanPort', Settings: {} }],
    },
    [
      'required /endpointPolicies/0 Type',
      'anyOf /endpointPolicies/1/Type',
      'not /endpointPolicies/2/Type',
      'type /endpointPolicies/3/Settings',
      'type /endpointPolicies/4',
      'not /networkPolicies/0/Type',
      'required /networkPolicies/2/Settings Port',
    ],
  ],
];

test.each(refusedConfigs)('%s: the refusals of ajv', (_, json, refusals) => {
  expect(described(validateAsAjv('win-hcn', json))).toEqual(refusals);
});

const balancer = {
  name: 'dns',
  network: 'overlay',
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.0.0.2'],
};

const refusedLoadBalancers: readonly Row[] = [
  ['that is empty', {}, ['required  name', 'required  network', 'required  ports', 'required  backends']],
  [
    'without a name and ports',
    { ...balancer, name: ' ', ports: [], backends: [1, {}, { address: 1, port: 80 }] },
    [
      'pattern /name',
      'minItems /ports',
      'type /backends/0',
      'required /backends/1 address',
      'additionalProperties /backends/2 port',
      'type /backends/2/address',
    ],
  ],
  [
    'with invalid ports',
    {
      ...balancer,
      sessionAffinity: 'Client',
      ports: [{ protocol: 1, port: '0' }, { protocol: 6, port: 0 }, { protocol: 'tcp' }],
    },
    [
      'enum /sessionAffinity',
      'enum /ports/0/protocol',
      'pattern /ports/0/port',
      'minimum /ports/1/port',
      'required /ports/2 port',
    ],
  ],
];

test.each(refusedLoadBalancers)('a load balancer %s: the refusals of ajv', (_, json, refusals) => {
  expect(validateAsAjv('load-balancer', balancer)).toEqual([]);
  expect(described(validateAsAjv('load-balancer', json))).toEqual(refusals);
});

const a = { const: 1 };
const outer = {
  properties: { here: { $ref: '#/definitions/a' }, there: { $ref: 'inner#/definitions/a' } },
  definitions: { a },
};
const inner = { definitions: { a: { $ref: '#/definitions/b' }, b: { const: 2 } } };

test('a reference without a file is to the same file', () => {
  const validate = validator({ outer: JSON.stringify(outer), inner: JSON.stringify(inner) }, 'outer');
  expect(refusalsOf(validate, { here: 1, there: 2 })).toEqual([]);
  expect(described(refusalsOf(validate, { here: 2, there: 1 }))).toEqual(['const /here', 'const /there']);
});

test('a file is parsed when a configuration needs it', () => {
  const validate = validator({ outer: JSON.stringify(outer), inner: 'not JSON' }, 'outer');
  expect(refusalsOf(validate, { here: 1 })).toEqual([]);
  expect(() => refusalsOf(validate, { there: 2 })).toThrow(SyntaxError);
});

describe('a schema of any kind', () => {
  const refusals = (schema: object, json: unknown, part?: 'shape') => {
    const found: Refusal[] = [];
    const isValid = validator({ a: JSON.stringify(schema) }, 'a')(
      json,
      (refusal) => found.push(refusal),
      part,
    );
    expect(isValid).toBe(found.length === 0);
    return described(found);
  };

  test('refuses what its patterns of keys do not accept, with the path', () => {
    const schema = { patternProperties: { '^x-': { type: 'string' } } };
    expect(refusals(schema, { 'x-a': 1, 'x-b': 'b', c: 1 })).toEqual(['type /x-a']);
  });

  test('is checked without conditions on the whole value if only the shape counts', () => {
    const schema = { type: 'object', allOf: [{ required: ['a'] }] };
    expect(refusals(schema, {})).toEqual(['required  a']);
    expect(refusals(schema, {}, 'shape')).toEqual([]);
    expect(refusals(schema, 7, 'shape')).toEqual(['type ']);
  });

  test('is parsed once', () => {
    let reads = 0;
    const files = {
      get a() {
        reads += 1;
        return JSON.stringify({ items: { $ref: 'a#/definitions/b' }, definitions: { b: { minimum: 2 } } });
      },
    };
    const found: Refusal[] = [];
    validator(files, 'a')([1, 2, 3], (refusal) => found.push(refusal));
    expect([described(found), reads]).toEqual([['minimum /0'], 1]);
  });
});
