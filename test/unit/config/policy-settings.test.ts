import { describe, expect, test } from 'vitest';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { policyExamples } from './policy-examples.ts';
import { refusedEndpointPolicies, refusedNetworkPolicies } from './refused-policies.ts';

type Level = 'endpoint' | 'network';

const subnets = [{ subnet: '10.244.1.0/24' }];
const base = { name: 'a', networkType: 'L2Bridge', subnets, defaultAction: 'Allow' };

function read(level: Level, policies: readonly object[]) {
  const json = JSON.parse(JSON.stringify({ ...base, [`${level}Policies`]: policies }));
  return readNetworkConfig(normalizeConfig(json))[`${level}Policies`];
}

describe.each(policyExamples)('$level policy $type', ({ level, policy, canonical }) => {
  test("is read into HCN's form, which is read unchanged", () => {
    expect(read(level, [policy])).toEqual([canonical]);
    expect(read(level, [canonical])).toEqual([canonical]);
  });
});

test.each([
  ['Default', 0],
  ['Adaptive', 1],
  ['Off', 2],
  ['Medium', 200],
  ['High', 300],
])('the interrupt moderation IovInterruptModeration%s is %i', (name, number) => {
  const policy = (InterruptModeration: unknown) => ({
    Type: 'Iov',
    Settings: { IovOffloadWeight: 100, QueuePairsRequested: 2, InterruptModeration },
  });
  expect(read('endpoint', [policy(`IovInterruptModeration${name}`)])).toEqual([policy(number)]);
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

  test('a second InterfaceParameters policy', () => {
    const policy = { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } };
    expect(() => read('endpoint', [policy, { Type: 'L2Driver' }, policy])).toThrow(
      '/endpointPolicies/2/Type is "InterfaceParameters", expected only one policy of this type',
    );
  });
});
