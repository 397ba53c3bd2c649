import type { Policy } from '../../../src/hcn/documents.ts';

/**
 * Settings as a configuration may have them, the same Settings in the form HCN takes, and the oldest HNS that accepts them if not all
 * versions do.
 */
type Example = readonly [type: string, given: object | undefined, canonical: object, hns?: string];

const acl = [
  {
    Protocols: '6, 17',
    LocalAddresses: '10.244.1.7/24 , 10.244.2.9',
    RemoteAddresses: '10.0.0.0/8, Any',
    LocalPorts: '80, 8080-8090',
    RemotePorts: '1024-65535',
    Priority: 100,
    Id: 'web',
    Action: 'block',
    Direction: 'OUT',
    RuleType: 'switch',
  },
  {
    Protocols: '6,17',
    LocalAddresses: '10.244.1.0/24,10.244.2.9',
    LocalPorts: '80,8080-8090',
    RemotePorts: '1024-65535',
    Priority: 100,
    Id: 'web',
    Action: 'Block',
    Direction: 'Out',
    RuleType: 'Switch',
  },
] as const;
const ofInterface = {
  InterfaceLuid: 1689399632855040,
  InterfaceIndex: 12,
  InterfaceMediaType: 6,
  InterfaceAlias: 'Ethernet',
  InterfaceDescription: 'Microsoft Hyper-V Network Adapter',
};
const interfaceConstraint = [
  { InterfaceGuid: '{6252BE31-13AF-492C-B0CE-4FED3E16B231}', ...ofInterface },
  { InterfaceGuid: '6252be31-13af-492c-b0ce-4fed3e16b231', ...ofInterface },
] as const;
const l4Proxy = [
  {
    IP: '10.0.0.21, 10.244.1.9/24',
    Port: 80,
    Protocol: 'tcp',
    ExceptionList: ['10.0.0.9/8', '10.0.0.4'],
    Destination: '10.0.0.1',
    OutboundNAT: true,
  },
  {
    IP: '10.0.0.21,10.244.1.0/24',
    Port: '80',
    Protocol: 6,
    ExceptionList: ['10.0.0.0/8', '10.0.0.4'],
    Destination: '10.0.0.1',
    OutboundNat: true,
  },
] as const;
/** The members of Encryption with the same text in both forms. */
const tunnel = {
  Name: 'to the database',
  Endpoints1: ['10.244.1.0/24'],
  Endpoints2: ['10.244.2.0/24'],
  ProtocolType: 'TCP',
  Endpoint1Ports: ['5432'],
  Endpoint2Ports: ['1024-65535'],
};
const rule = { Id: 'web', Protocols: '6', RemotePorts: '1024-65535', Priority: 1 };
const vmNic = {
  DeviceInstanceId: 'e7c3b2f0-f3c5-48df-af2b-10fed6d72e7a',
  VfInstanceId: 'f74f241b-440f-4433-bb28-00f89ead20d8',
};

const endpointExamples: readonly Example[] = [
  [
    'PortMapping',
    { protocol: 'tcp', internalPort: 80, externalPort: 8080, vip: '10.0.0.4', flags: 1 },
    { Protocol: 6, InternalPort: 80, ExternalPort: 8080, VIP: '10.0.0.4', Flags: 1 },
  ],
  ['ACL', ...acl],
  ['QOS', { MaximumOutgoingBandwidthInBytes: 12500000 }, { MaximumOutgoingBandwidthInBytes: 12500000 }],
  ['L2Driver', undefined, {}],
  [
    'OutBoundNAT',
    {
      VirtualIP: '::ffff:10.0.0.4',
      Destinations: ['10.96.0.1/12', '::ffff:10.0.0.9'],
      Exceptions: ['10.244.3.7/16', '10.0.0.4'],
      Flags: 1,
      MaxPortPoolUsage: 64,
    },
    {
      VirtualIP: '10.0.0.4',
      Destinations: ['10.96.0.0/12', '10.0.0.9'],
      Exceptions: ['10.244.0.0/16', '10.0.0.4'],
      Flags: 1,
      MaxPortPoolUsage: 64,
    },
    '15.0',
  ],
  [
    'SDNRoute',
    { DestinationPrefix: '10.0.0.4', NextHop: '10.244.1.1', NeedEncap: true, AutomaticEndpointMonitor: true },
    {
      DestinationPrefix: '10.0.0.4/32',
      NextHop: '10.244.1.1',
      NeedEncap: true,
      AutomaticEndpointMonitor: true,
    },
  ],
  ['L4Proxy', ...l4Proxy],
  [
    'L4WFPPROXY',
    {
      InboundProxyPort: 15003,
      OutboundProxyPort: 15001,
      FilterTuple: {
        protocols: '6',
        LocalAddresses: '*',
        RemoteAddresses: '10.0.0.7/8',
        LocalPorts: '80',
        RemotePorts: '80, 443',
        Priority: 2,
      },
      UserSID: 'S-1-5-32-556',
      InboundExceptions: { IpAddressExceptions: ['10.0.0.4'], PortExceptions: [22, '8080-8090'] },
      OutboundExceptions: { IpAddressExceptions: ['169.254.169.254/16'], PortExceptions: ['53'] },
    },
    {
      InboundProxyPort: '15003',
      OutboundProxyPort: '15001',
      FilterTuple: {
        Protocols: '6',
        RemoteAddresses: '10.0.0.0/8',
        LocalPorts: '80',
        RemotePorts: '80,443',
        Priority: 2,
      },
      UserSID: 'S-1-5-32-556',
      InboundExceptions: { IpAddressExceptions: ['10.0.0.4'], PortExceptions: ['22', '8080-8090'] },
      OutboundExceptions: { IpAddressExceptions: ['169.254.0.0/16'], PortExceptions: ['53'] },
    },
    '14.0',
  ],
  ['ProviderAddress', { ProviderAddress: '::ffff:10.0.0.4' }, { ProviderAddress: '10.0.0.4' }],
  ['PortName', { name: 'Port 1' }, { Name: 'Port 1' }],
  ['EncapOverhead', { Overhead: 50 }, { Overhead: 50 }],
  ['InterfaceConstraint', ...interfaceConstraint],
  [
    'Encryption',
    {
      EncryptionMethodType: 'IPSEC',
      AuthenticationMethods: [
        { type: 'certificate', settings: { certificateName: 'node' } },
        { Type: 'PresharedKey', Settings: { Key: 'open sesame' } },
      ],
      ...tunnel,
    },
    {
      EncryptionMethodType: 'Ipsec',
      AuthenticationMethods: [
        { Type: 'Certificate', Settings: { CertificateName: 'node' } },
        { Type: 'PresharedKey', Settings: { Key: 'open sesame' } },
      ],
      ...tunnel,
    },
    '10.0',
  ],
  ['VLAN', { isolationId: 4094 }, { IsolationId: 4094 }, '11.0'],
  ['InterfaceParameters', { MTU: 1400 }, { Mtu: 1400 }, '11.0'],
  [
    'Iov',
    { IovOffloadWeight: 100, QueuePairsRequested: 2, InterruptModeration: 'iovInterruptModerationLow' },
    { IovOffloadWeight: 100, QueuePairsRequested: 2, InterruptModeration: 100 },
    '13.0',
  ],
  [
    'TierAcl',
    {
      Name: 'admins',
      Direction: 'in',
      Order: 1,
      TierAclRules: [
        {
          ...rule,
          TierAclRuleAction: 'allow',
          LocalAddresses: '10.244.1.7/24',
          RemoteAddresses: '10.0.0.0/8,*',
          LocalPorts: '80, 443',
        },
        { TierAclRuleAction: 'pass' },
      ],
    },
    {
      Name: 'admins',
      Direction: 'In',
      Order: 1,
      TierAclRules: [
        {
          ...rule,
          TierAclRuleAction: 'Allow',
          LocalAddresses: '10.244.1.0/24',
          LocalPorts: '80,443',
        },
        { TierAclRuleAction: 'Pass' },
      ],
    },
    '14.0',
  ],
  ['VmNic', vmNic, vmNic, '15.0'],
  [
    'Firewall',
    { VmCreatorId: '40E0AC32-46A5-438A-A0B2-2B479E8F2E90', PolicyFlags: 1 },
    { VmCreatorId: '40e0ac32-46a5-438a-a0b2-2b479e8f2e90', PolicyFlags: 1 },
    '15.0',
  ],
  ['Firewall', { VmType: 'wsl', FirewallPolicyFlags: 1 }, { VmType: 'WSL', FirewallPolicyFlags: 1 }, '15.0'],
];

const networkExamples: readonly Example[] = [
  ['SourceMacAddress', { SourceMacAddress: '00:15:5d:0a:0b:0c' }, { SourceMacAddress: '00-15-5D-0A-0B-0C' }],
  ['NetAdapterName', { networkAdapterName: 'Ethernet' }, { NetworkAdapterName: 'Ethernet' }],
  ['InterfaceConstraint', ...interfaceConstraint],
  [
    'VSwitchExtension',
    { ExtensionId: 'F74F241B-440F-4433-BB28-00F89EAD20D8', Enable: true },
    { ExtensionID: 'f74f241b-440f-4433-bb28-00f89ead20d8', Enable: true },
  ],
  ['ProviderAddress', { ProviderAddress: '::ffff:10.0.0.4' }, { ProviderAddress: '10.0.0.4' }],
  ['DrMacAddress', { Address: '00-15-5d-bb-6e-b1' }, { Address: '00-15-5D-BB-6E-B1' }],
  ['AutomaticDNS', { Enable: true }, { Enable: true }],
  [
    'RemoteSubnetRoute',
    {
      DestinationPrefix: '10.244.2.7/24',
      IsolationId: 4096,
      ProviderAddress: '::ffff:10.0.0.5',
      DistributedRouterMacAddress: '00:15:5d:bb:6e:b1',
    },
    {
      DestinationPrefix: '10.244.2.0/24',
      IsolationId: 4096,
      ProviderAddress: '10.0.0.5',
      DistributedRouterMacAddress: '00-15-5D-BB-6E-B1',
    },
  ],
  ['VxlanPort', { Port: 8472 }, { Port: 8472 }, '10.3'],
  ['HostRoute', {}, {}],
  [
    'SetPolicy',
    { Id: 'pods', Name: 'pods', PolicyType: 'IpSet', Values: '10.244.1.5, 10.244.2.7/24' },
    { Id: 'pods', Name: 'pods', PolicyType: 'IPSET', Values: '10.244.1.5,10.244.2.0/24' },
    '13.0',
  ],
  [
    'SetPolicy',
    { Id: 'all', Name: 'all', PolicyType: 'NestedIpSet', Values: 'pods, nodes' },
    { Id: 'all', Name: 'all', PolicyType: 'NESTEDIPSET', Values: 'pods,nodes' },
    '15.0',
  ],
  ['L4Proxy', ...l4Proxy, '13.1'],
  [
    'LayerConstraint',
    { LayerId: '{6252be31-13af-492c-b0ce-4fed3e16b231}' },
    { LayerId: '6252be31-13af-492c-b0ce-4fed3e16b231' },
  ],
  ['NetworkACL', ...acl, '15.0'],
  [
    'NeighborDiscovery',
    { TargetIpPrefix: 'FD00::1/64', SenderIpAddress: 'FD00::1', SenderMacAddress: '00:15:5D:0A:0B:0C' },
    { TargetIpPrefix: 'fd00::/64', SenderIpAddress: 'fd00::1', SenderMacAddress: '00-15-5D-0A-0B-0C' },
    '15.0',
  ],
];

function policies(level: 'endpoint' | 'network', examples: readonly Example[]) {
  return examples.map(([type, settings, canonical, hns]) => {
    const [Major = 0, Minor = 0] = hns?.split('.').map(Number) ?? [];
    return {
      level,
      type,
      policy: { type: type.toLowerCase(), ...(settings && { settings }) },
      canonical: { Type: type, Settings: { ...canonical } } satisfies Policy,
      ...(hns !== undefined && { hns: { Major, Minor } }),
    };
  });
}

/** A valid policy of each type, with all its members. */
export const policyExamples = [
  ...policies('endpoint', endpointExamples),
  ...policies('network', networkExamples),
];
