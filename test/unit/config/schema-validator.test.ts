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
  expect(described(validateAsAjv(json))).toEqual(refusals);
});

test('patterns of keys refuse values, with the path', () => {
  const schema = { patternProperties: { '^x-': { type: 'string' } } };
  const validate = validator({ a: JSON.stringify(schema) }, 'a');
  const found: Refusal[] = [];
  expect(validate({ 'x-a': 1, 'x-b': 'b', c: 1 }, (refusal) => found.push(refusal))).toBe(false);
  expect(described(found)).toEqual(['type /x-a']);
});
