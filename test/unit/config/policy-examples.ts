import type { Policy } from '../../../src/hcn/documents.ts';

interface Example {
  /** The policy as a configuration may have it. */
  readonly policy: object;
  /** The same policy in the form HCN takes. */
  readonly canonical: Policy;
  /** The oldest HNS that accepts it; undefined if all do. */
  readonly hns?: { readonly Major: number; readonly Minor: number };
}

const endpointExamples: readonly Example[] = [
  {
    policy: {
      type: 'portmapping',
      settings: { protocol: 'tcp', internalPort: 80, externalPort: 8080, vip: '10.0.0.4', flags: 1 },
    },
    canonical: {
      Type: 'PortMapping',
      Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, VIP: '10.0.0.4', Flags: 1 },
    },
  },
  {
    policy: {
      Type: 'ACL',
      Settings: {
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
    },
    canonical: {
      Type: 'ACL',
      Settings: {
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
    },
  },
  {
    policy: { Type: 'qos', Settings: { MaximumOutgoingBandwidthInBytes: 12500000 } },
    canonical: { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 12500000 } },
  },
  {
    policy: { Type: 'l2driver' },
    canonical: { Type: 'L2Driver', Settings: {} },
  },
  {
    policy: {
      Type: 'OutboundNat',
      Settings: {
        VirtualIP: '::ffff:10.0.0.4',
        Destinations: ['10.96.0.1/12', '::ffff:10.0.0.9'],
        Exceptions: ['10.244.3.7/16', '10.0.0.4'],
        Flags: 1,
        MaxPortPoolUsage: 64,
      },
    },
    canonical: {
      Type: 'OutBoundNAT',
      Settings: {
        VirtualIP: '10.0.0.4',
        Destinations: ['10.96.0.0/12', '10.0.0.9'],
        Exceptions: ['10.244.0.0/16', '10.0.0.4'],
        Flags: 1,
        MaxPortPoolUsage: 64,
      },
    },
    hns: { Major: 15, Minor: 0 },
  },
  {
    policy: {
      Type: 'SDNROUTE',
      Settings: {
        DestinationPrefix: '10.0.0.4',
        NextHop: '10.244.1.1',
        NeedEncap: true,
        AutomaticEndpointMonitor: true,
      },
    },
    canonical: {
      Type: 'SDNRoute',
      Settings: {
        DestinationPrefix: '10.0.0.4/32',
        NextHop: '10.244.1.1',
        NeedEncap: true,
        AutomaticEndpointMonitor: true,
      },
    },
  },
  {
    policy: {
      Type: 'L4Proxy',
      Settings: {
        IP: '10.0.0.21, 10.244.1.9/24',
        Port: 80,
        Protocol: 'tcp',
        ExceptionList: ['10.0.0.9/8', '10.0.0.4'],
        Destination: '10.0.0.1',
        OutboundNAT: true,
      },
    },
    canonical: {
      Type: 'L4Proxy',
      Settings: {
        IP: '10.0.0.21,10.244.1.0/24',
        Port: '80',
        Protocol: 6,
        ExceptionList: ['10.0.0.0/8', '10.0.0.4'],
        Destination: '10.0.0.1',
        OutboundNat: true,
      },
    },
  },
  {
    policy: {
      Type: 'L4WfpProxy',
      Settings: {
        InboundProxyPort: 15003,
        OutboundProxyPort: '15001',
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
    },
    canonical: {
      Type: 'L4WFPPROXY',
      Settings: {
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
    },
    hns: { Major: 14, Minor: 0 },
  },
  {
    policy: { Type: 'ProviderAddress', Settings: { ProviderAddress: '::ffff:10.0.0.4' } },
    canonical: { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  },
  {
    policy: { Type: 'portName', Settings: { name: 'Port 1' } },
    canonical: { Type: 'PortName', Settings: { Name: 'Port 1' } },
  },
  {
    policy: { Type: 'EncapOverhead', Settings: { Overhead: 50 } },
    canonical: { Type: 'EncapOverhead', Settings: { Overhead: 50 } },
  },
  {
    policy: {
      Type: 'INTERFACECONSTRAINT',
      Settings: {
        InterfaceGuid: '{6252BE31-13AF-492C-B0CE-4FED3E16B231}',
        InterfaceLuid: 1689399632855040,
        InterfaceIndex: 12,
        InterfaceMediaType: 6,
        InterfaceAlias: 'Ethernet',
        InterfaceDescription: 'Microsoft Hyper-V Network Adapter',
      },
    },
    canonical: {
      Type: 'InterfaceConstraint',
      Settings: {
        InterfaceGuid: '6252be31-13af-492c-b0ce-4fed3e16b231',
        InterfaceLuid: 1689399632855040,
        InterfaceIndex: 12,
        InterfaceMediaType: 6,
        InterfaceAlias: 'Ethernet',
        InterfaceDescription: 'Microsoft Hyper-V Network Adapter',
      },
    },
  },
  {
    policy: {
      Type: 'encryption',
      Settings: {
        EncryptionMethodType: 'IPSEC',
        AuthenticationMethods: [
          { type: 'certificate', settings: { certificateName: 'node' } },
          { Type: 'PresharedKey', Settings: { Key: 'open sesame' } },
        ],
        Name: 'to the database',
        Endpoints1: ['10.244.1.0/24'],
        Endpoints2: ['10.244.2.0/24'],
        ProtocolType: 'TCP',
        Endpoint1Ports: ['5432'],
        Endpoint2Ports: ['1024-65535'],
      },
    },
    canonical: {
      Type: 'Encryption',
      Settings: {
        EncryptionMethodType: 'Ipsec',
        AuthenticationMethods: [
          { Type: 'Certificate', Settings: { CertificateName: 'node' } },
          { Type: 'PresharedKey', Settings: { Key: 'open sesame' } },
        ],
        Name: 'to the database',
        Endpoints1: ['10.244.1.0/24'],
        Endpoints2: ['10.244.2.0/24'],
        ProtocolType: 'TCP',
        Endpoint1Ports: ['5432'],
        Endpoint2Ports: ['1024-65535'],
      },
    },
    hns: { Major: 10, Minor: 0 },
  },
  {
    policy: { Type: 'vlan', Settings: { isolationId: 4094 } },
    canonical: { Type: 'VLAN', Settings: { IsolationId: 4094 } },
    hns: { Major: 11, Minor: 0 },
  },
  {
    policy: { Type: 'InterfaceParameters', Settings: { MTU: 1400 } },
    canonical: { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } },
    hns: { Major: 11, Minor: 0 },
  },
  {
    policy: {
      Type: 'IOV',
      Settings: {
        IovOffloadWeight: 100,
        QueuePairsRequested: 2,
        InterruptModeration: 'iovInterruptModerationLow',
      },
    },
    canonical: {
      Type: 'Iov',
      Settings: { IovOffloadWeight: 100, QueuePairsRequested: 2, InterruptModeration: 100 },
    },
    hns: { Major: 13, Minor: 0 },
  },
  {
    policy: {
      Type: 'TierACL',
      Settings: {
        Name: 'admins',
        Direction: 'in',
        Order: 1,
        TierAclRules: [
          {
            Id: 'web',
            Protocols: '6',
            TierAclRuleAction: 'allow',
            LocalAddresses: '10.244.1.7/24',
            RemoteAddresses: '10.0.0.0/8,*',
            LocalPorts: '80, 443',
            RemotePorts: '1024-65535',
            Priority: 1,
          },
          { TierAclRuleAction: 'pass' },
        ],
      },
    },
    canonical: {
      Type: 'TierAcl',
      Settings: {
        Name: 'admins',
        Direction: 'In',
        Order: 1,
        TierAclRules: [
          {
            Id: 'web',
            Protocols: '6',
            TierAclRuleAction: 'Allow',
            LocalAddresses: '10.244.1.0/24',
            LocalPorts: '80,443',
            RemotePorts: '1024-65535',
            Priority: 1,
          },
          { TierAclRuleAction: 'Pass' },
        ],
      },
    },
    hns: { Major: 14, Minor: 0 },
  },
  {
    policy: {
      Type: 'vmNIC',
      Settings: {
        DeviceInstanceId: 'e7c3b2f0-f3c5-48df-af2b-10fed6d72e7a',
        VfInstanceId: 'f74f241b-440f-4433-bb28-00f89ead20d8',
      },
    },
    canonical: {
      Type: 'VmNic',
      Settings: {
        DeviceInstanceId: 'e7c3b2f0-f3c5-48df-af2b-10fed6d72e7a',
        VfInstanceId: 'f74f241b-440f-4433-bb28-00f89ead20d8',
      },
    },
    hns: { Major: 15, Minor: 0 },
  },
  {
    policy: {
      Type: 'firewall',
      Settings: { VmCreatorId: '40E0AC32-46A5-438A-A0B2-2B479E8F2E90', PolicyFlags: 1 },
    },
    canonical: {
      Type: 'Firewall',
      Settings: { VmCreatorId: '40e0ac32-46a5-438a-a0b2-2b479e8f2e90', PolicyFlags: 1 },
    },
    hns: { Major: 15, Minor: 0 },
  },
  {
    policy: { Type: 'Firewall', Settings: { VmType: 'wsl', FirewallPolicyFlags: 1 } },
    canonical: { Type: 'Firewall', Settings: { VmType: 'WSL', FirewallPolicyFlags: 1 } },
    hns: { Major: 15, Minor: 0 },
  },
];

const networkExamples: readonly Example[] = [
  {
    policy: { Type: 'sourceMacAddress', Settings: { SourceMacAddress: '00:15:5d:0a:0b:0c' } },
    canonical: { Type: 'SourceMacAddress', Settings: { SourceMacAddress: '00-15-5D-0A-0B-0C' } },
  },
  {
    policy: { Type: 'NetAdapterName', Settings: { networkAdapterName: 'Ethernet' } },
    canonical: { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
  },
  {
    policy: { Type: 'InterfaceConstraint', Settings: { InterfaceAlias: 'Ethernet' } },
    canonical: { Type: 'InterfaceConstraint', Settings: { InterfaceAlias: 'Ethernet' } },
  },
  {
    policy: {
      Type: 'VSwitchExtension',
      Settings: { ExtensionId: 'F74F241B-440F-4433-BB28-00F89EAD20D8', Enable: true },
    },
    canonical: {
      Type: 'VSwitchExtension',
      Settings: { ExtensionID: 'f74f241b-440f-4433-bb28-00f89ead20d8', Enable: true },
    },
  },
  {
    policy: { Type: 'PROVIDERADDRESS', Settings: { ProviderAddress: '10.0.0.4' } },
    canonical: { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  },
  {
    policy: { Type: 'DrMacAddress', Settings: { Address: '00-15-5d-bb-6e-b1' } },
    canonical: { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-BB-6E-B1' } },
  },
  {
    policy: { Type: 'AutomaticDns', Settings: { Enable: true } },
    canonical: { Type: 'AutomaticDNS', Settings: { Enable: true } },
  },
  {
    policy: {
      Type: 'RemoteSubnetRoute',
      Settings: {
        DestinationPrefix: '10.244.2.7/24',
        IsolationId: 4096,
        ProviderAddress: '10.0.0.5',
        DistributedRouterMacAddress: '00:15:5d:bb:6e:b1',
      },
    },
    canonical: {
      Type: 'RemoteSubnetRoute',
      Settings: {
        DestinationPrefix: '10.244.2.0/24',
        IsolationId: 4096,
        ProviderAddress: '10.0.0.5',
        DistributedRouterMacAddress: '00-15-5D-BB-6E-B1',
      },
    },
  },
  {
    policy: { Type: 'VXLANPort', Settings: { Port: 8472 } },
    canonical: { Type: 'VxlanPort', Settings: { Port: 8472 } },
    hns: { Major: 10, Minor: 3 },
  },
  {
    policy: { Type: 'hostroute', Settings: {} },
    canonical: { Type: 'HostRoute', Settings: {} },
  },
  {
    policy: {
      Type: 'SetPolicy',
      Settings: { Id: 'pods', Name: 'pods', PolicyType: 'IpSet', Values: '10.244.1.5, 10.244.2.7/24' },
    },
    canonical: {
      Type: 'SetPolicy',
      Settings: { Id: 'pods', Name: 'pods', PolicyType: 'IPSET', Values: '10.244.1.5,10.244.2.0/24' },
    },
    hns: { Major: 13, Minor: 0 },
  },
  {
    policy: {
      Type: 'SetPolicy',
      Settings: { Id: 'all', Name: 'all', PolicyType: 'NestedIpSet', Values: 'pods, nodes' },
    },
    canonical: {
      Type: 'SetPolicy',
      Settings: { Id: 'all', Name: 'all', PolicyType: 'NESTEDIPSET', Values: 'pods,nodes' },
    },
    hns: { Major: 15, Minor: 0 },
  },
  {
    policy: {
      Type: 'L4PROXY',
      Settings: {
        IP: '10.0.0.21',
        Port: '80, 8080-8090',
        Protocol: 6,
        ExceptionList: ['10.0.0.4'],
        Destination: '10.0.0.1',
        OutboundNat: true,
      },
    },
    canonical: {
      Type: 'L4Proxy',
      Settings: {
        IP: '10.0.0.21',
        Port: '80,8080-8090',
        Protocol: 6,
        ExceptionList: ['10.0.0.4'],
        Destination: '10.0.0.1',
        OutboundNat: true,
      },
    },
    hns: { Major: 13, Minor: 1 },
  },
  {
    policy: { Type: 'LayerConstraint', Settings: { LayerId: '{6252be31-13af-492c-b0ce-4fed3e16b231}' } },
    canonical: { Type: 'LayerConstraint', Settings: { LayerId: '6252be31-13af-492c-b0ce-4fed3e16b231' } },
  },
  {
    policy: {
      Type: 'NetworkAcl',
      Settings: {
        Protocols: '256',
        LocalAddresses: 'Any',
        RemoteAddresses: 'fd00::1/64 ,10.0.0.1',
        LocalPorts: '80',
        RemotePorts: '1024 - 65535',
        Priority: 65535,
        Id: 'all',
        Action: 'Block',
        Direction: 'Out',
        RuleType: 'Switch',
      },
    },
    canonical: {
      Type: 'NetworkACL',
      Settings: {
        Protocols: '256',
        RemoteAddresses: 'fd00::/64,10.0.0.1',
        LocalPorts: '80',
        RemotePorts: '1024-65535',
        Priority: 65535,
        Id: 'all',
        Action: 'Block',
        Direction: 'Out',
        RuleType: 'Switch',
      },
    },
    hns: { Major: 15, Minor: 0 },
  },
  {
    policy: {
      Type: 'NeighborDiscovery',
      Settings: {
        TargetIpPrefix: 'FD00::1/64',
        SenderIpAddress: 'FD00::1',
        SenderMacAddress: '00:15:5D:0A:0B:0C',
      },
    },
    canonical: {
      Type: 'NeighborDiscovery',
      Settings: {
        TargetIpPrefix: 'fd00::/64',
        SenderIpAddress: 'fd00::1',
        SenderMacAddress: '00-15-5D-0A-0B-0C',
      },
    },
    hns: { Major: 15, Minor: 0 },
  },
];

/** A valid policy of each type, with all its members. */
export const policyExamples = [
  ...endpointExamples.map((example) => ({ level: 'endpoint' as const, ...example })),
  ...networkExamples.map((example) => ({ level: 'network' as const, ...example })),
].map((example) => ({ ...example, type: example.canonical.Type }));
