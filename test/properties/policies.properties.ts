import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CniError } from '../../src/cni/error.ts';
import { normalizeConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { readPolicies } from '../simulator/policies.ts';
import { newest, switchesOf } from '../simulator/profiles.ts';
import { endpointPolicies, networkPolicies } from '../simulator/schema/policy-settings.ts';
import type { Schema } from '../simulator/schema/schema.ts';
import type { Property } from './property.ts';

const texts = [
  ...['', 'a', 'Any', '*', '80,81', '80-90', '0', '6', '256', '10.0.0.0/24', '10.0.0.7/24, 10.0.0.1'],
  ...['10.0.0.1', 'fd00::/64', 'FD00::1', '00-15-5D-00-00-00', '00:15:5d:00:00:00', 'S-1-5-32-556'],
];
const guids = ['3C6FAB4D-6191-4171-A627-DD46F8C2E392', '{3c6fab4d-6191-4171-a627-dd46f8c2e392}', 'a'];

function settingsOf(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.kind) {
    case 'any':
      return fc.constantFrom({ Key: 'a' }, { CertificateName: 'a' }, {});
    case 'string':
      return fc.constantFrom(...texts);
    case 'boolean':
      return fc.boolean();
    case 'guid':
      return fc.constantFrom(...guids);
    case 'unsigned':
      return fc.constantFrom(0, 1, 6, 4096, 65535, 65536, 2 ** 32 - 1);
    case 'enumeration':
      return fc.constantFrom(...schema.names.keys(), ...schema.names.values());
    case 'array':
      return fc.array(settingsOf(schema.items), { maxLength: 2 });
    case 'object': {
      const members = [...schema.members];
      const records = members.map(([name, member]) => [name, settingsOf(member.schema)] as const);
      const required = members.filter(([, member]) => member.required).map(([name]) => name);
      return fc.record(Object.fromEntries(records), { requiredKeys: required });
    }
  }
}

/** Accepts lists of both families: win-hcn splits them only after it has read the configuration. */
const release = {
  version: { Major: 16, Minor: 0 },
  switches: { ...switchesOf[newest], unknownSettings: 'refused', mixedExceptions: 'accepted' } as const,
};
const base = { name: 'a', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] };

/** VmNic's device IDs are strings to win-hcn and GUIDs to the simulated service: no documentation defines them. */
const typesOf = (types: typeof endpointPolicies) => [...types].filter(([type]) => type !== 'VmNic');

const everyType = [
  ...typesOf(endpointPolicies).map(([type, { settings }]) => ['endpoint', type, settings] as const),
  ...typesOf(networkPolicies).map(([type, { settings }]) => ['network', type, settings] as const),
];

/** Policies that win-hcn accepts, of each type, are accepted by the simulated service. */
export const policyProperties: readonly Property[] = everyType.map(([level, Type, schema]) => ({
  name: `${level} policies ${Type}`,
  property: fc.property(settingsOf(schema), (Settings) => {
    const policies = readOrRefuse(level, { Type, Settings });
    if (policies !== undefined) readPolicies(level, JSON.parse(JSON.stringify(policies)), release);
  }),
  runs: { test: 500, fuzz: 1000 },
}));

function readOrRefuse(level: 'endpoint' | 'network', policy: object) {
  const key = `${level}Policies` as const;
  try {
    return readNetworkConfig(normalizeConfig({ ...base, [key]: [policy] }))[key];
  } catch (error) {
    assert.ok(error instanceof CniError, String(error));
    return undefined;
  }
}
