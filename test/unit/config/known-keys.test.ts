import { expect, test } from 'vitest';
import { dropUnknownKeys, isEmpty } from '../../../src/config/known-keys.ts';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

test('keys and enum values match without case at every level', () => {
  const config = {
    NAME: 'l2bridge',
    NetworkType: 'l2bridge',
    SUBNETS: [{ Subnet: '10.244.1.0/24', GateWay: '10.244.1.1' }],
    DNS: { NameServers: ['10.96.0.10'] },
    ACLs: [{ Action: 'allow', Direction: 'IN', Protocols: ['TCP', 'icmp'] }],
    DefaultACTION: 'block',
    ipam: null,
  };
  expect(readNetworkConfig(normalizeConfig(config))).toMatchObject({
    name: 'l2bridge',
    networkType: 'L2Bridge',
    subnets: [{ prefix: '10.244.1.0/24', gateway: '10.244.1.1' }],
    dns: { nameservers: ['10.96.0.10'] },
    acls: [{ action: 'Allow', direction: 'In', protocols: [6, 1] }],
    defaultAction: 'Block',
  });
});

test('if two keys match, the last one wins', () => {
  expect(normalizeConfig({ name: 'a', NAME: 'b' })).toEqual({ name: 'b' });
});

test('policies match without case at every level, by their type', () => {
  const config = {
    endpointPolicies: [
      { type: 'SDNROUTE', settings: { nexthop: '10.0.0.1', needEncap: null } },
      {
        TYPE: 'tieracl',
        Settings: { DIRECTION: 'in', tierAclRules: [{ tierAclRuleAction: 'PASS', localports: '80' }] },
      },
      {
        type: 'encryption',
        settings: { authenticationMethods: [{ type: 'presharedkey', settings: { KEY: 'Key' } }] },
      },
    ],
    networkPolicies: [{ Type: 'setpolicy', Settings: { PolicyType: 'ipset', id: 'ID' } }],
  };
  expect(normalizeConfig(config)).toEqual({
    endpointPolicies: [
      { Type: 'SDNRoute', Settings: { NextHop: '10.0.0.1' } },
      {
        Type: 'TierAcl',
        Settings: { Direction: 'In', TierAclRules: [{ TierAclRuleAction: 'Pass', LocalPorts: '80' }] },
      },
      {
        Type: 'Encryption',
        Settings: { AuthenticationMethods: [{ Type: 'PresharedKey', Settings: { Key: 'Key' } }] },
      },
    ],
    networkPolicies: [{ Type: 'SetPolicy', Settings: { PolicyType: 'IPSET', Id: 'ID' } }],
  });
});

test("policies of unknown types, the IPAM plugin's keys and the runtime's keys are unchanged", () => {
  const config = {
    endpointPolicies: [{ Type: 'newer', Settings: { aCTION: 'x', priority: null } }],
    ipam: { type: 'host-local', RANGES: [] },
    'cni.dev/valid-attachments': null,
    runtimeConfig: { PortMappings: null },
  };
  expect(normalizeConfig(config)).toEqual(config);
});

test.each([
  [undefined, true],
  [null, true],
  ['', true],
  [[], true],
  [' ', false],
  [[''], false],
  [{}, false],
  [0, false],
  [false, false],
])("Go's decoders take %j as absent: %j", (value, expected) => {
  expect(isEmpty(value)).toBe(expected);
});

test('unknown keys are dropped, and listed if they have a value', () => {
  const known = {
    keys: { Type: {}, List: { items: { keys: { a: {} } } }, Any: {} },
    types: { Web: { keys: { Port: {} } } },
  };
  const unknown = { b: 1, 'c/d~': 'x', e: '', f: null, g: [], h: false, i: {} };
  expect(
    dropUnknownKeys(
      { Type: 'Web', Port: 80, List: [{ a: 1, z: 2 }, 7], Any: { z: 1 }, ...unknown },
      known,
      '/p',
    ),
  ).toEqual({
    value: { Type: 'Web', Port: 80, List: [{ a: 1 }, 7], Any: { z: 1 } },
    dropped: ['/p/List/0/z', '/p/b', '/p/c~1d~0', '/p/i'],
  });
  expect(dropUnknownKeys({ Type: 'constructor', Port: 80 }, known)).toEqual({
    value: { Type: 'constructor' },
    dropped: ['/Port'],
  });
  expect(dropUnknownKeys('x', known)).toEqual({ value: 'x', dropped: [] });
});
