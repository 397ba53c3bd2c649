import { describe, expect, test } from 'vitest';
import {
  describeMissingFeature,
  describeVersion,
  type Feature,
  featuresOfPolicy,
  isSupported,
  policyFeatures,
  requiredFeatures,
} from '../../../src/plan/features.ts';
import { policyExamples } from '../config/policy-examples.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';

function version(text: string) {
  const [Major = 0, Minor = 0] = text.split('.').map(Number);
  return { Major, Minor };
}

test.each<readonly [Feature, has: readonly string[], lacks: readonly string[]]>([
  ['RemoteSubnet', ['9.2'], ['9.1']],
  ['HostRoute', ['9.2'], ['9.1']],
  ['DSR', ['9.3', '9.5', '10.2', '11.0', '13.3'], ['9.2', '10.0', '10.1']],
  ['VxlanPort', ['10.3', '11.0'], ['9.5', '10.2']],
  ['AclSupportForProtocol252', ['11.0'], ['10.9']],
  ['IPv6DualStack', ['11.10', '12.0'], ['11.9', '9.5']],
  ['SessionAffinity', ['12.0'], ['11.11']],
  ['SetPolicy', ['13.0'], ['12.1']],
  ['L4Proxy', ['9.5', '10.5', '11.11', '12.1', '13.1', '14.0'], ['9.4', '10.4', '11.10', '12.0', '13.0']],
  ['L4WfpProxy', ['13.2', '14.0'], ['13.1', '9.5']],
  ['TierAcl', ['14.0'], ['13.3']],
  ['NetworkACL', ['15.0'], ['14.9']],
  ['NestedIpSet', ['15.0'], ['14.9']],
  ['DisableHostPort', ['15.1'], ['15.0']],
])('HNS has %s in %j but not in %j', (feature, has, lacks) => {
  expect(has.filter((text) => !isSupported(feature, version(text)))).toEqual([]);
  expect(lacks.filter((text) => isSupported(feature, version(text)))).toEqual([]);
});

test.each([
  ['9.5', '9.5 (Windows Server 2019)'],
  ['13.3', '13.3 (Windows Server 2022)'],
  ['15.4', '15.4 (Windows Server 2025)'],
  ['14.0', '14.0'],
])('HNS %s is described as %s', (text, description) => {
  expect(describeVersion(version(text))).toBe(description);
});

test.each([
  ['TierAcl', '13.3', 'TierAcl needs HNS 14.0 or later; this host has 13.3 (Windows Server 2022)'],
  ['DSR', '10.0', 'DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 10.0'],
] as const)(
  'the message for %s missing in HNS %s names the versions that have it',
  (feature, text, sentence) => {
    expect(describeMissingFeature(feature, version(text))).toBe(sentence);
  },
);

describe('a policy needs', () => {
  test.each([
    ['endpoint', 'TierAcl', {}, ['TierAcl']],
    ['endpoint', 'L4WFPPROXY', {}, ['L4WfpProxy']],
    ['endpoint', 'L4Proxy', {}, []],
    ['endpoint', 'ACL', { Protocols: '6,17' }, []],
    ['endpoint', 'ACL', { Protocols: '6,252' }, ['AclSupportForProtocol252']],
    ['endpoint', 'Newer', {}, []],
    ['network', 'L4Proxy', {}, ['L4Proxy']],
    ['network', 'RemoteSubnetRoute', {}, ['RemoteSubnet']],
    ['network', 'HostRoute', {}, []],
    ['network', 'VxlanPort', { Port: 8472 }, ['VxlanPort']],
    ['network', 'SetPolicy', { PolicyType: 'IPSET' }, ['SetPolicy']],
    ['network', 'SetPolicy', { PolicyType: 'NESTEDIPSET' }, ['SetPolicy', 'NestedIpSet']],
    ['network', 'NetworkACL', {}, ['NetworkACL']],
  ] as const)('%s %s %j: %j', (level, Type, Settings, features) => {
    expect(featuresOfPolicy(level, { Type, Settings })).toEqual(features);
  });

  test('only features of policy types that the schema defines', () => {
    const known = policyExamples.map(({ level, type }) => `${level} ${type}`);
    expect(policyFeatures.filter(({ level, type }) => !known.includes(`${level} ${type}`))).toEqual([]);
  });
});

describe('a configuration needs', () => {
  test.each([
    [{}, []],
    [{ loopbackDSR: false }, []],
    [{ loopbackDSR: true }, [{ at: '/loopbackDSR', feature: 'DSR' }]],
  ])('%j: %j', (changes, features) => {
    expect(requiredFeatures(config(changes), false)).toEqual(features);
  });

  test('RemoteSubnet for the remote subnets of an Overlay network that ADD creates', () => {
    const remoteSubnets = [
      { subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress: '00-15-5D-0A-0B-0C' },
    ];
    const subnets = [{ subnet: '10.244.1.0/24', vsid: 4096 }];
    const overlay = config({ networkType: 'Overlay', subnets, remoteSubnets });
    expect(requiredFeatures(overlay, true)).toEqual([{ at: '/remoteSubnets', feature: 'RemoteSubnet' }]);
    expect(requiredFeatures(overlay, false)).toEqual([]);
    const routed = config({ remoteSubnets: [{ subnet: '10.244.2.0/24', nextHop: '10.0.0.5' }] });
    expect(requiredFeatures(routed, true)).toEqual([]);
  });
});
