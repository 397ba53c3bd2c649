import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointPolicies, policiesAfterAssignment } from '../../../src/plan/policies.ts';

const config = (changes: object = {}) =>
  readNetworkConfig({
    cniVersion: '1.0.0',
    name: 'cbr0',
    networkType: 'L2Bridge',
    createNetwork: 'never',
    ...changes,
  });
const SchemaVersion = { Major: 2, Minor: 0 };
const endpointWith = (...addresses: readonly string[]) => ({
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })),
  SchemaVersion,
});

describe('the policies that depend on addresses assigned by HNS', () => {
  test('translate traffic from the endpoint to itself', () => {
    const endpoint = endpointWith('fd00:3::9', '10.244.3.9');
    expect(policiesAfterAssignment(config({ loopbackDSR: true }), endpoint)).toEqual([
      { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.3.9'] } },
    ]);
  });

  test('are none by default', () => {
    expect(policiesAfterAssignment(config(), endpointWith('10.244.3.9'))).toEqual([]);
    expect(policiesAfterAssignment(config(), endpointWith('fd00:3::9'))).toEqual([]);
  });

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

test.each([
  [undefined, [1, 3]],
  ['IPv4', [1]],
  ['IPv6', [3]],
] as const)('a port mapping for family %j on a dual-stack endpoint has flags %j', (family, flags) => {
  const mapping = { protocol: 'tcp', hostPort: 8080, containerPort: 80, ...(family && { family }) } as const;
  const policies = endpointPolicies(
    { ...config(), portMappings: [mapping] },
    {
      providerAddress: undefined,
      addresses: ['10.244.3.9', 'fd00:3::9'],
      families: ['IPv4', 'IPv6'],
      ownSubnets: [],
      encapOverhead: undefined,
    },
  );
  expect(policies).toEqual(
    flags.map((Flags) => ({
      Type: 'PortMapping',
      Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags },
    })),
  );
});

test('outbound NAT contains only prefixes of the families that an endpoint has', () => {
  const given = config({ outboundNat: { exceptions: ['10.0.0.0/8', 'fd00::/8'] } });
  const context = {
    providerAddress: undefined,
    addresses: ['10.244.3.9'],
    families: ['IPv4'],
    ownSubnets: [],
    encapOverhead: undefined,
  } as const;
  expect(endpointPolicies(given, context)).toEqual([
    { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } },
  ]);
});
