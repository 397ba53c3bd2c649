import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { matchesSent } from '../../../src/plan/check.ts';
import { readPolicies } from '../../simulator/policies.ts';
import { switchesOf, versions } from '../../simulator/profiles.ts';
import { policyExamples } from './policy-examples.ts';
import { refusedEndpointPolicies, refusedNetworkPolicies } from './refused-policies.ts';

type Level = 'endpoint' | 'network';

const subnets = [{ subnet: '10.244.1.0/24' }];
const base = { name: 'a', networkType: 'L2Bridge', subnets, defaultAction: 'Allow' };

function read(level: Level, policies: readonly object[]) {
  const json = JSON.parse(JSON.stringify({ ...base, [`${level}Policies`]: policies }));
  return readNetworkConfig(normalizeConfig(json))[`${level}Policies`];
}

const asSent = (policy: object) => JSON.parse(JSON.stringify(policy));

describe.each(policyExamples)('$level policy $type', ({ level, policy, canonical, hns }) => {
  test("is read into HCN's form, which is read unchanged", () => {
    expect(read(level, [policy])).toEqual([canonical]);
    expect(read(level, [canonical])).toEqual([canonical]);
  });

  test('is accepted by the simulated service from its version on', () => {
    for (const version of [hns ?? versions.ws2019, { Major: 16, Minor: 0 }]) {
      const [accepted] = readPolicies(level, [asSent(canonical)], {
        version,
        switches: { ...switchesOf.ws2022, unknownSettings: 'refused' },
      });
      expect(matchesSent(accepted, canonical)).toBe(true);
    }
  });
});

test.each(['endpoint', 'network'] as const)('every %s policy type of the schema has an example', (level) => {
  const { definitions } = JSON.parse(readFileSync('schemas/policies.schema.json', 'utf8'));
  const types = definitions[`${level}Policy`].properties.Type.anyOf[0].enum;
  const examples = policyExamples.filter((example) => example.level === level);
  expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(types));
});

test('a policy of an unknown type is unchanged, with Settings', () => {
  const policies = [
    { Type: 'Newer', Settings: {} },
    { Type: 'constructor', Settings: { localAddresses: 'Any', Deep: { x: [1] } } },
  ];
  expect(read('endpoint', [{ Type: 'Newer' }])).toEqual([{ Type: 'Newer', Settings: {} }]);
  expect(read('endpoint', policies)).toEqual(policies);
  expect(read('network', policies)).toEqual(policies);
});

test.each([0, 2 ** 53 - 1, 71 * 2 ** 48 + 7 * 2 ** 24, 2 ** 64 - 2 ** 24])(
  'the interface LUID %d is read',
  (luid) => {
    const policy = { Type: 'InterfaceConstraint', Settings: { InterfaceLuid: luid } };
    expect(read('endpoint', [policy])).toEqual([policy]);
  },
);

test("a network policy's GUID has no braces, in lower case", () => {
  const InterfaceGuid = '{6252BE31-13AF-492C-B0CE-4FED3E16B231}';
  expect(read('network', [{ Type: 'InterfaceConstraint', Settings: { InterfaceGuid } }])).toEqual([
    { Type: 'InterfaceConstraint', Settings: { InterfaceGuid: '6252be31-13af-492c-b0ce-4fed3e16b231' } },
  ]);
});

test('a list that matches any address leaves the member out', () => {
  const Settings = { Action: 'Block', Direction: 'In', RemoteAddresses: 'any' };
  expect(read('endpoint', [{ Type: 'ACL', Settings }])).toStrictEqual([
    { Type: 'ACL', Settings: { Action: 'Block', Direction: 'In' } },
  ]);
});

test.each([
  ['IovInterruptModerationDefault', 0],
  ['IovInterruptModerationAdaptive', 1],
  ['IovInterruptModerationOff', 2],
  ['IovInterruptModerationLow', 100],
  ['IovInterruptModerationMedium', 200],
  ['IovInterruptModerationHigh', 300],
])('the interrupt moderation %s is %d', (InterruptModeration, number) => {
  const settings = { IovOffloadWeight: 100, QueuePairsRequested: 2 };
  expect(read('endpoint', [{ Type: 'Iov', Settings: { ...settings, InterruptModeration } }])).toEqual([
    { Type: 'Iov', Settings: { ...settings, InterruptModeration: number } },
  ]);
});

test.each([
  ['Unknown', 0],
  ['ICMPv4', 1],
  ['IGMP', 2],
  ['TCP', 6],
  ['UDP', 17],
  ['ICMPv6', 58],
])('the protocol %s of a proxy is %d', (Protocol, number) => {
  expect(read('endpoint', [{ Type: 'L4Proxy', Settings: { Destination: '10.0.0.1', Protocol } }])).toEqual([
    { Type: 'L4Proxy', Settings: { Destination: '10.0.0.1', Protocol: number } },
  ]);
});

const acl = { Action: 'Allow', Direction: 'In' };

describe.each(['Any', 'any', '*', '10.0.0.0/8,Any'])('the address list %j', (LocalAddresses) => {
  test('matches every address: the member is omitted', () => {
    expect(read('endpoint', [{ Type: 'ACL', Settings: { LocalAddresses, ...acl } }])).toEqual([
      { Type: 'ACL', Settings: acl },
    ]);
  });
});

test('a set may be empty', () => {
  const settings = { Id: 'a', Name: 'a', PolicyType: 'IPSET', Values: '' };
  const policies = [{ Type: 'SetPolicy', Settings: settings }];
  expect(read('network', policies)).toEqual(policies);
});

describe('an invalid policy is refused with its JSON pointer', () => {
  const harmless = { Type: 'Newer' };
  test.each([
    ...refusedEndpointPolicies.map((refused) => ['endpoint' as const, ...refused] as const),
    ...refusedNetworkPolicies.map((refused) => ['network' as const, ...refused] as const),
  ])('%s policy %s %j', (level, Type, Settings, problem) => {
    const message = `invalid network configuration: /${level}Policies/1/Settings${problem}`;
    expect(() => read(level, [harmless, { Type, Settings }])).toThrow(
      expect.objectContaining({ message, details: '' }),
    );
  });

  test.each([
    [{}, '/Type is missing, expected an HCN policy type'],
    [{ Type: ' ' }, '/Type is " ", expected an HCN policy type'],
    [{ Type: 4 }, '/Type is 4, expected an HCN policy type'],
    [
      { Type: 'VxlanPort', Settings: { Port: 8472 } },
      '/Type is "VxlanPort", expected an endpoint policy type; this one is for networkPolicies',
    ],
    [{ Type: 'Newer', Settings: [] }, '/Settings is [], expected an object'],
    [{ Type: 'L2Driver', Setting: {} }, '/Setting is an unknown key (value: {}), did you mean "Settings"?'],
  ])('%j', (policy, problem) => {
    const message = `invalid network configuration: /endpointPolicies/0${problem}`;
    expect(() => read('endpoint', [policy])).toThrow(expect.objectContaining({ message, details: '' }));
  });

  test('an endpoint policy in networkPolicies', () => {
    expect(() => read('network', [{ Type: 'L2Driver' }])).toThrow(
      '/networkPolicies/0/Type is "L2Driver", expected a network policy type; this one is for endpointPolicies',
    );
  });

  test('several problems of one policy', () => {
    const Settings = { Protocols: 'x', Priority: 0, Direction: 'In', Port: 80 };
    expect(() => read('endpoint', [{ Type: 'ACL', Settings }])).toThrow(
      expect.objectContaining({
        message:
          'invalid network configuration: /endpointPolicies/0/Settings/Action is missing, expected "Allow", "Block" or "Pass"',
        details:
          '/endpointPolicies/0/Settings/Port is an unknown key (value: 80); /endpointPolicies/0/Settings/Priority is 0, expected an integer from 1 to 65535',
      }),
    );
  });

  test('a second InterfaceParameters policy', () => {
    const policy = { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } };
    expect(() => read('endpoint', [policy, { Type: 'L2Driver' }, policy])).toThrow(
      '/endpointPolicies/2/Type is "InterfaceParameters", expected only one policy of this type',
    );
  });
});

test('the default prefixes of both families are unchanged', () => {
  const acl = {
    Type: 'ACL',
    Settings: { Action: 'Block', Direction: 'Out', RemoteAddresses: '::1/0,0.0.0.0/0' },
  };
  expect(read('endpoint', [acl])).toEqual([
    { Type: 'ACL', Settings: { Action: 'Block', Direction: 'Out', RemoteAddresses: '::/0,0.0.0.0/0' } },
  ]);
});
