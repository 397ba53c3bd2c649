import { describe, expect, test } from 'vitest';
import {
  checkFeatures,
  describeMissingFeature,
  describeVersion,
  type Feature,
  featuresOfPolicy,
  isSupported,
  missingFeatures,
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
  ['IPv6Overlay', ['15.0', '16.0'], ['14.9']],
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

const newest = ['IPv6Overlay', 'TierAcl', 'NetworkACL', 'NestedIpSet', 'DisableHostPort'];

test.each([
  [
    '7.2',
    [
      'RemoteSubnet',
      'HostRoute',
      'DSR',
      'VxlanPort',
      'AclSupportForProtocol252',
      'IPv6DualStack',
      'IPv6Overlay',
      'SessionAffinity',
      'SetPolicy',
      'L4Proxy',
      'L4WfpProxy',
      'TierAcl',
      'NetworkACL',
      'NestedIpSet',
      'DisableHostPort',
    ],
  ],
  ['13.3', newest],
  ['14.0', newest.filter((feature) => feature !== 'TierAcl')],
  ['15.0', ['DisableHostPort']],
  ['15.5', []],
  ['16.0', []],
])('HNS %s lacks %j', (text, features) => {
  expect(missingFeatures(version(text))).toEqual(features);
});

test.each([
  ['7.2', '7.2 (Windows 1803)'],
  ['9.1', '9.1 (Windows Server 2019)'],
  ['9.2', '9.2 (Windows Server 2019)'],
  ['9.3', '9.3 (Windows Server 2019)'],
  ['9.5', '9.5 (Windows Server 2019)'],
  ['10.3', '10.3 (Windows 1903)'],
  ['11.10', '11.10 (Windows 2004)'],
  ['13.3', '13.3 (Windows Server 2022)'],
  ['15.0', '15.0 (Windows 11 22H2)'],
  ['15.4', '15.4 (Windows Server 2025)'],
  ['15.5', '15.5 (Windows Server 2025)'],
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

  test('features of its ACLs and endpoint policies, and if ADD creates the network, of the network', () => {
    const setting = { Id: 'a', Name: 'a', PolicyType: 'NESTEDIPSET', Values: 'b' };
    const whole = config({
      networkType: 'Transparent',
      createNetwork: 'ifMissing',
      subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:1::/64' }],
      networkFlags: ['EnableNonPersistent', 'DisableHostPort'],
      networkPolicies: [{ Type: 'HostRoute' }, { Type: 'SetPolicy', Settings: setting }],
      acls: [
        { action: 'Allow', direction: 'In' },
        { action: 'Allow', direction: 'Out', protocols: ['tcp', 252] },
      ],
      defaultAction: 'Block',
      loopbackDSR: true,
      endpointPolicies: [
        { Type: 'L2Driver' },
        { Type: 'L4WFPPROXY', Settings: { InboundProxyPort: '15001' } },
        { Type: 'TierAcl', Settings: { Name: 'web', Direction: 'In', Order: 200, TierAclRules: [] } },
      ],
    });
    const ofEndpoint = [
      { at: '/acls/1', feature: 'AclSupportForProtocol252' },
      { at: '/loopbackDSR', feature: 'DSR' },
      { at: '/endpointPolicies/1', feature: 'L4WfpProxy' },
      { at: '/endpointPolicies/2', feature: 'TierAcl' },
    ];
    expect(requiredFeatures(whole, false)).toEqual(ofEndpoint);
    expect(requiredFeatures(whole, true)).toEqual([
      ...ofEndpoint,
      { at: '/subnets/1/subnet', feature: 'IPv6DualStack' },
      { at: '/networkFlags/1', feature: 'DisableHostPort' },
      { at: '/networkPolicies/1', feature: 'SetPolicy' },
      { at: '/networkPolicies/1', feature: 'NestedIpSet' },
    ]);
  });

  test('IPv6Overlay for an IPv6 subnet of an Overlay network, and DisableHostPort as its only flag', () => {
    const overlay = config({
      networkType: 'Overlay',
      subnets: [{ subnet: 'fd00:1::/64', vsid: 4096 }],
      networkFlags: ['DisableHostPort'],
    });
    expect(requiredFeatures(overlay, true)).toEqual([
      { at: '/subnets/0/subnet', feature: 'IPv6Overlay' },
      { at: '/networkFlags/0', feature: 'DisableHostPort' },
    ]);
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

describe('required features', () => {
  const required = [
    { at: '/loopbackDSR', feature: 'DSR' },
    { at: '/subnets/1/subnet', feature: 'IPv6DualStack' },
    { at: '/networkPolicies/0', feature: 'L4Proxy' },
  ] as const;

  test('that HNS has are no error', () => {
    expect(() => checkFeatures(required, version('13.1'))).not.toThrow();
    expect(() => checkFeatures([], version('7.2'))).not.toThrow();
  });

  test('that it lacks are code 7: the first in the message, the others in the details', () => {
    expect(() => checkFeatures(required, version('9.5'))).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          '/subnets/1/subnet: IPv6DualStack needs HNS 11.10 or later; this host has 9.5 (Windows Server 2019)',
        details: '',
      }),
    );
    expect(() => checkFeatures(required, version('9.2'))).toThrow(
      expect.objectContaining({
        message:
          '/loopbackDSR: DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 9.2 (Windows Server 2019)',
        details:
          '/subnets/1/subnet: IPv6DualStack needs HNS 11.10 or later; this host has 9.2 (Windows Server 2019); ' +
          '/networkPolicies/0: L4Proxy needs HNS 9.5 to 9.x, or 10.5 to 10.x, or 11.11 to 11.x, or 12.1 to 12.x, or 13.1 or later; ' +
          'this host has 9.2 (Windows Server 2019)',
      }),
    );
  });
});
