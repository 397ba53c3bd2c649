import { describe, expect, test } from 'vitest';
import { familyOf } from '../../../src/net/address.ts';
import { endpointPolicies, policiesAfterAssignment } from '../../../src/plan/policies.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const endpointWith = (...addresses: readonly string[]) => ({
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })),
  SchemaVersion,
});

describe('the policies that depend on addresses assigned by HNS', () => {
  test.each([
    [{ loopbackDSR: true }, ['fd00:3::9', '10.244.3.9'], [{ Destinations: ['10.244.3.9'] }]],
    [{}, ['10.244.3.9'], []],
    [{}, ['fd00:3::9'], []],
  ])(
    'of %j with addresses %j translate traffic from the endpoint to itself: %j',
    (changes, addresses, nat) => {
      expect(policiesAfterAssignment(config(changes), endpointWith(...addresses))).toEqual(
        nat.map((Settings) => ({ Type: 'OutBoundNAT', Settings })),
      );
    },
  );

  test('are refused if HNS assigns no IPv4 address', () => {
    expect(() => policiesAfterAssignment(config({ loopbackDSR: true }), endpointWith('fd00:3::9'))).toThrow(
      expect.objectContaining({
        code: 7,
        message:
          '/loopbackDSR is true, but the endpoint has no IPv4 address: remove loopbackDSR, or add an IPv4 subnet to the network',
      }),
    );
  });
});

const context = {
  providerAddress: undefined,
  addresses: ['10.244.3.9', 'fd00:3::9'],
  families: ['IPv4', 'IPv6'],
  ownSubnets: [],
  encapOverhead: undefined,
} as const;

test.each([
  [undefined, [1, 3]],
  ['IPv4', [1]],
  ['IPv6', [3]],
] as const)('a port mapping for family %j on a dual-stack endpoint has flags %j', (family, flags) => {
  const mapping = { protocol: 'tcp', hostPort: 8080, containerPort: 80, ...(family && { family }) } as const;
  expect(endpointPolicies({ ...config(), portMappings: [mapping] }, context)).toEqual(
    flags.map((Flags) => ({
      Type: 'PortMapping',
      Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags },
    })),
  );
});

describe('the pod subnets of other nodes', () => {
  const remoteSubnets = ['10.244.2.0/24', '10.99.1.0/24', 'fd00:2::/64'].map((subnet) => ({
    subnet,
    nextHop: familyOf(subnet) === 'IPv4' ? '10.0.0.5' : 'fd00::5',
  }));
  const policiesOf = (changes: object) => endpointPolicies({ ...config(changes), remoteSubnets }, context);

  test('are exceptions of outbound NAT unless an exception contains them', () => {
    const outboundNat = { exceptions: ['10.244.0.0/16', '10.96.0.0/12'], destinations: ['8.8.8.8'] };
    expect(policiesOf({ outboundNat })).toEqual([
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['fd00:2::/64'] } },
      { Type: 'OutBoundNAT', Settings: { Destinations: ['8.8.8.8'] } },
    ]);
    expect(policiesOf({ outboundNat: {} })).toEqual([
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.2.0/24', '10.99.1.0/24'] } },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['fd00:2::/64'] } },
    ]);
  });

  test('need no policy without outbound NAT', () => {
    expect(policiesOf({})).toEqual([]);
  });
});

test('outbound NAT contains only prefixes of the families that an endpoint has', () => {
  const given = config({ outboundNat: { exceptions: ['10.0.0.0/8', 'fd00::/8'] } });
  const ipv4 = { ...context, addresses: ['10.244.3.9'], families: ['IPv4'] } as const;
  expect(endpointPolicies(given, ipv4)).toEqual([
    { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } },
  ]);
});
