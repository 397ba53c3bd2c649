import { describe, expect, test } from 'vitest';
import {
  checkFeatures,
  type Feature,
  featuresOfPolicy,
  isSupported,
  requiredFeatures,
} from '../../../src/plan/features.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';

function version(text: string) {
  const [Major = 0, Minor = 0] = text.split('.').map(Number);
  return { Major, Minor };
}

test.each<readonly [Feature, has: readonly string[], lacks: readonly string[]]>([
  ['DSR', ['9.3', '9.5', '10.2', '11.0', '13.3'], ['9.2', '10.0', '10.1']],
  ['IPv6DualStack', ['11.10', '12.0'], ['11.9', '9.5']],
  ['L4Proxy', ['9.5', '10.5', '11.11', '12.1', '13.1', '14.0'], ['9.4', '10.4', '11.10', '12.0', '13.0']],
])('HNS has %s in %j but not in %j', (feature, has, lacks) => {
  expect(has.filter((text) => !isSupported(feature, version(text)))).toEqual([]);
  expect(lacks.filter((text) => isSupported(feature, version(text)))).toEqual([]);
});

describe('a policy needs', () => {
  test.each([
    ['network', 'L4Proxy', {}, ['L4Proxy']],
    ['network', 'RemoteSubnetRoute', {}, ['RemoteSubnet']],
    ['network', 'NetworkACL', {}, ['NetworkACL']],
    ['network', 'VxlanPort', {}, ['VxlanPort']],
    ['endpoint', 'VxlanPort', {}, []],
    ['endpoint', 'ACL', { Protocols: '6,252' }, ['AclSupportForProtocol252']],
    ['endpoint', 'ACL', { Protocols: '2520' }, []],
    ['network', 'SetPolicy', { PolicyType: 'IPSET' }, ['SetPolicy']],
  ] as const)('%s %s %j: %j', (level, Type, Settings, features) => {
    expect(featuresOfPolicy(level, { Type, Settings })).toEqual(features);
  });
});

test('a host without features is refused with the first one, and the others in its details', () => {
  const required = (['L4Proxy', 'HostRoute', 'DSR', 'TierAcl'] as const).map((feature, at) => ({
    at: `/${at}`,
    feature,
  }));
  expect(() => checkFeatures(required, version('10.1'))).toThrow(
    expect.objectContaining({
      code: 7,
      message:
        '/0: L4Proxy needs HNS 9.5 to 9.x, or 10.5 to 10.x, or 11.11 to 11.x, or 12.1 to 12.x, or 13.1 or later; this host has 10.1',
      details:
        '/2: DSR needs HNS 9.3 to 9.x, or 10.2 or later; this host has 10.1; /3: TierAcl needs HNS 14.0 or later; this host has 10.1',
    }),
  );
});

describe('a configuration needs', () => {
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
