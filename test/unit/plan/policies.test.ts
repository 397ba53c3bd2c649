import { describe, expect, test } from 'vitest';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import { familyOf } from '../../../src/net/address.ts';
import { endpointPolicies, policiesAfterAssignment, portMappingAcls } from '../../../src/plan/policies.ts';
import { configOfExistingNetwork as config } from './config-of-existing-network.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const endpointWith = (...addresses: readonly string[]) => ({
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })),
  SchemaVersion,
});

test('the policies that depend on addresses assigned by HNS are refused if it assigns no IPv4 address', () => {
  expect(() => policiesAfterAssignment(endpointWith('fd00:3::9'))).toThrow(
    expect.objectContaining({
      code: 7,
      message:
        '/loopbackDSR is true, but the endpoint has no IPv4 address: remove loopbackDSR, or add an IPv4 subnet to the network',
    }),
  );
});

const context = {
  providerAddress: undefined,
  addresses: ['10.244.3.9', 'fd00:3::9'],
  families: ['IPv4', 'IPv6'],
  ownSubnets: [],
  encapOverhead: undefined,
} as const;

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
});

test('the policies of all settings are in this order, with those in the form of HCN last', () => {
  const given = {
    ...config({
      acls: [
        {
          action: 'Allow',
          direction: 'Out',
          protocols: ['tcp', 'udp'],
          localAddresses: ['10.244.3.0/24', 'fd00:3::/64'],
          remoteAddresses: ['10.0.0.0/8', 'fd00::/8'],
          localPorts: [80, 443],
          remotePorts: [53, '80-90'],
        },
      ],
      defaultAction: 'Block',
      portMapping: { localRoutedVip: true, allowAcl: true },
      outboundNat: { exceptions: ['10.96.0.0/12'], maxPortPoolUsage: 512 },
      loopbackDSR: true,
      sdnRoutes: [{ destinationPrefix: '10.96.0.0/12', nextHop: '10.0.0.4' }],
      endpointPolicies: [{ Type: 'L2Driver' }],
    }),
    portMappings: [{ protocol: 'tcp', hostPort: 8080, containerPort: 80 }] as const,
    egressBytes: 1000,
    behavior: { ...dropInBehavior, exceptOwnSubnets: true },
  };
  const all = { ...context, ownSubnets: ['10.244.3.0/24'], encapOverhead: 50, providerAddress: '10.0.0.4' };
  expect(endpointPolicies(given, all)).toEqual([
    {
      Type: 'ACL',
      Settings: {
        Protocols: '6,17',
        LocalAddresses: '10.244.3.0/24,fd00:3::/64',
        RemoteAddresses: '10.0.0.0/8,fd00::/8',
        LocalPorts: '80,443',
        RemotePorts: '53,80-90',
        Priority: 1000,
        Action: 'Allow',
        Direction: 'Out',
        RuleType: 'Switch',
      },
    },
    {
      Type: 'ACL',
      Settings: {
        Protocols: '6',
        LocalPorts: '80',
        Priority: 1000,
        Action: 'Allow',
        Direction: 'In',
        RuleType: 'Switch',
      },
    },
    { Type: 'OutBoundNAT', Settings: { MaxPortPoolUsage: 512, Exceptions: ['10.96.0.0/12'] } },
    { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.3.0/24'] } },
    { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.3.9'] } },
    {
      Type: 'SDNRoute',
      Settings: { DestinationPrefix: '10.96.0.0/12', NextHop: '10.0.0.4', NeedEncap: false },
    },
    { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 } },
    { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 3 } },
    { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } },
    { Type: 'EncapOverhead', Settings: { Overhead: 50 } },
    { Type: 'L2Driver', Settings: {} },
    { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'In', RuleType: 'Switch' } },
    { Type: 'ACL', Settings: { Priority: 65500, Action: 'Block', Direction: 'Out', RuleType: 'Switch' } },
    { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  ]);
});

test('a port that is mapped for TCP and UDP has an ACL for each', () => {
  const mapped = (['tcp', 'udp'] as const).map((protocol) => ({ protocol, hostPort: 53, containerPort: 53 }));
  const acls = portMappingAcls(mapped, 'Switch');
  expect(acls.map(({ Settings }) => Settings?.['Protocols'])).toEqual(['6', '17']);
});
