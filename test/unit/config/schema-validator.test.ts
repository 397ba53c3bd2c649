import { expect, test } from 'vitest';
import { type Refusal, validator } from '../../../src/config/schema-validator.ts';
import { validateAsAjv } from './as-ajv.ts';

const withoutAction = { name: 'a', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] };
const config = { ...withoutAction, defaultAction: 'Allow' };

/** The keyword, the path and the key of each refusal. */
function described(refusals: readonly Refusal[]): readonly string[] {
  return refusals.map(({ keyword, path, key }) => `${keyword} ${path}${key === undefined ? '' : ` ${key}`}`);
}

type Row = readonly [title: string, json: unknown, refusals: readonly string[]];

const refusedConfigs: readonly Row[] = [
  [
    'keys that every object of JavaScript has',
    { ...config, ...JSON.parse('{"__proto__":{"mtu":1},"toString":0}') },
    ['additionalProperties  __proto__', 'additionalProperties  toString'],
  ],
  [
    'a value that is invalid in two ways',
    { ...config, networkType: 'NAT', adapter: '' },
    ['false schema /adapter', 'pattern /adapter'],
  ],
  [
    'items of another network',
    { ...config, subnets: [{ vsid: 4096 }, 7], createNetwork: 'never' },
    ['false schema /subnets/0/vsid', 'required /subnets/0 subnet', 'type /subnets/1'],
  ],
  [
    'a value that no branch accepts',
    { ...config, acls: [{ action: 'Allow', direction: 'In', protocols: ['tcp', 256, 257, 'sctp'] }] },
    ['anyOf /acls/0/protocols/2', 'anyOf /acls/0/protocols/3'],
  ],
  [
    'a list with an item that requires a key',
    { ...withoutAction, endpointPolicies: [{ Type: 'L2Driver' }, { Type: 'ACL' }] },
    ['required  defaultAction', 'required /endpointPolicies/1 Settings'],
  ],
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
  expect(described(validateAsAjv(json))).toEqual(refusals);
});

test('patterns of keys refuse values, with the path', () => {
  const schema = { patternProperties: { '^x-': { type: 'string' } } };
  const validate = validator({ a: JSON.stringify(schema) }, 'a');
  const found: Refusal[] = [];
  expect(validate({ 'x-a': 1, 'x-b': 'b', c: 1 }, (refusal) => found.push(refusal))).toBe(false);
  expect(described(found)).toEqual(['type /x-a']);
});
