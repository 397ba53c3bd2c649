import { describe, expect, test } from 'vitest';
import { policyText } from '../../../../src/cli/inventory/policy-text.ts';
import type { Policy } from '../../../../src/hcn/documents.ts';
import { policyExamples } from '../../config/policy-examples.ts';

test('every policy type of the schema has words for all its settings', () => {
  const texts = policyExamples.map(({ canonical }) => `${canonical.Type}: ${policyText(canonical)}`);
  expect(texts).toEqual([
    'PortMapping: tcp 10.0.0.4:8080 -> 80, also from the node itself',
    'ACL: Out 100 Block: tcp,udp, local 10.244.1.0/24,10.244.2.9, local port 80,8080-8090, remote port 1024-65535 (Switch) "web"',
    'QOS: sends at most 100 Mbit/s',
    'L2Driver: uses the layer 2 driver',
    'OutBoundNAT: leaves as 10.0.0.4, only to 10.96.0.0/12, 10.0.0.9, except to 10.244.0.0/16, 10.0.0.4, with at most 64 ports, ' +
      'also from the node itself',
    'SDNRoute: 10.0.0.4/32 via 10.244.1.1, encapsulated, with endpoint monitor',
    'L4Proxy: tcp to 10.0.0.21, 10.244.1.0/24 port 80 goes to 10.0.0.1, except to 10.0.0.0/8, 10.0.0.4, from a node address',
    'L4WFPPROXY: tcp, local port 80, remote 10.0.0.0/8, remote port 80,443, priority 2 goes to a proxy in the pod; ' +
      'out to port 15001, except to 169.254.0.0/16, port 53; in to port 15003, except to 10.0.0.4, port 22, 8080-8090; ' +
      'not from account S-1-5-32-556',
    'ProviderAddress: node address 10.0.0.4',
    'PortName: switch port "Port 1"',
    'EncapOverhead: MTU reduced by 50 bytes for encapsulation',
    'InterfaceConstraint: only on interface Ethernet, Microsoft Hyper-V Network Adapter, index 12, ' +
      'GUID 6252be31-13af-492c-b0ce-4fed3e16b231, LUID 1689399632855040, media type 6',
    'Encryption: "to the database": Ipsec for tcp between 10.244.1.0/24 port 5432 and 10.244.2.0/24 port 1024-65535, ' +
      'by certificate node, preshared key',
    'VLAN: VLAN 4094',
    'InterfaceParameters: MTU 1400',
    'Iov: SR-IOV with weight 100, queue pairs 2, interrupt moderation 100',
    'TierAcl: In tier 1 "admins"; 1 Allow: tcp, local 10.244.1.0/24, local port 80,443, remote port 1024-65535 "web"; ' +
      'Pass: everything',
    'VmNic: VM adapter e7c3b2f0-f3c5-48df-af2b-10fed6d72e7a, virtual function f74f241b-440f-4433-bb28-00f89ead20d8',
    'Firewall: VM firewall, creator 40e0ac32-46a5-438a-a0b2-2b479e8f2e90, flags 1',
    'Firewall: VM firewall, type WSL, flags 1',
    'SourceMacAddress: leaves with MAC address 00-15-5D-0A-0B-0C',
    'NetAdapterName: adapter Ethernet',
    'InterfaceConstraint: only on interface Ethernet',
    'VSwitchExtension: extension f74f241b-440f-4433-bb28-00f89ead20d8 enabled',
    'ProviderAddress: node address 10.0.0.4',
    'DrMacAddress: router MAC address 00-15-5D-BB-6E-B1',
    "AutomaticDNS: endpoints get the node's DNS",
    'RemoteSubnetRoute: 10.244.2.0/24 on node 10.0.0.5, virtual subnet 4096, router MAC address 00-15-5D-BB-6E-B1',
    'VxlanPort: VXLAN on udp 8472',
    'HostRoute: the node reaches local endpoints',
    'SetPolicy: set "pods" of addresses: 10.244.1.5, 10.244.2.0/24',
    'SetPolicy: set "all" of sets: pods, nodes',
    'L4Proxy: tcp to 10.0.0.21 port 80, 8080-8090 goes to 10.0.0.1, except to 10.0.0.4, from a node address',
    'LayerConstraint: only in layer 6252be31-13af-492c-b0ce-4fed3e16b231',
    'NetworkACL: Out 65535 Block: any protocol, local port 80, remote fd00::/64,10.0.0.1, remote port 1024-65535 (Switch) "all"',
    'NeighborDiscovery: answers for fd00::/64, from fd00::1, with MAC address 00-15-5D-0A-0B-0C',
  ]);
});

describe('a policy in words', () => {
  test.each<[string, Policy['Settings'], string]>([
    ['PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 }, 'tcp 8080 -> 80 (node)'],
    ['portmapping', { Protocol: 17, InternalPort: 53, ExternalPort: 53 }, 'udp 53 -> 53 (node)'],
    [
      'PortMapping',
      { Protocol: 6, InternalPort: 80, ExternalPort: 8080, VIP: 'fd00::4', Flags: 7 },
      'tcp [fd00::4]:8080 -> 80, also from the node itself, IPv6, port reserved',
    ],
    [
      'PortMapping',
      { Protocol: 'UDP', InternalPort: '53', ExternalPort: '53', VIP: '', Flags: 10 },
      'udp 53 -> 53 (node), IPv6, flags 10',
    ],
    ['PortMapping', {}, 'any protocol ? -> ? (node)'],
    ['OutBoundNAT', undefined, 'leaves as a node address'],
    [
      'OutBoundNAT',
      { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] },
      'leaves as a node address, except to 10.244.0.0/16, 10.96.0.0/12',
    ],
    ['SDNRoute', { DestinationPrefix: '10.96.0.0/12' }, '10.96.0.0/12, not encapsulated'],
    ['QOS', { MaximumOutgoingBandwidthInBytes: 12345 }, 'sends at most 98.76 kbit/s'],
    ['QOS', { MaximumOutgoingBandwidthInBytes: 1 }, 'sends at most 8 bit/s'],
    ['QOS', { MaximumOutgoingBandwidthInBytes: 0 }, 'no limit'],
    ['VSID', { IsolationId: 4096 }, 'virtual subnet 4096'],
    ['AutomaticDNS', { Enable: false }, "endpoints do not get the node's DNS"],
    ['HostRoute', {}, 'the node reaches local endpoints'],
  ])('%s %j', (Type, Settings, text) => {
    expect(policyText({ Type, ...(Settings !== undefined && { Settings }) })).toBe(text);
  });

  test('keeps settings that it has no words for', () => {
    const Settings = { Exceptions: ['10.0.0.0/8'], ExceptionList: ['10.96.0.0/12'], Note: 'mine' };
    expect(policyText({ Type: 'OutBoundNAT', Settings })).toBe(
      'leaves as a node address, except to 10.0.0.0/8 ExceptionList=["10.96.0.0/12"] Note=mine',
    );
  });

  test('of an unknown type is its settings, without secrets', () => {
    const Settings = { Mode: 'fast', Size: 5, PresharedKey: 'open sesame', More: { Key: 'open sesame' } };
    expect(policyText({ Type: 'Future', Settings })).toBe(
      'Mode=fast Size=5 PresharedKey=(secret) More={"Key":"(secret)"}',
    );
    expect(policyText({ Type: 'Future' })).toBe('no settings');
  });
});
