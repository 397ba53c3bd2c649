const acl = { Action: 'Allow', Direction: 'In' };
const tier = { Name: 'a', Direction: 'In', Order: 1 };
const remote = {
  DestinationPrefix: '10.244.2.0/24',
  IsolationId: 4096,
  ProviderAddress: '10.0.0.5',
  DistributedRouterMacAddress: '00-15-5D-BB-6E-B1',
};
const set = { Id: 'a', Name: 'a', PolicyType: 'IPSET', Values: '10.0.0.1' };
const addresses = 'expected IP addresses or prefixes such as 10.96.0.0/12, separated by commas';
const ports = 'expected ports from 1 to 65535 or ranges such as 8080-8090, separated by commas';
const protocols = 'expected protocol numbers from 0 to 255, or 256 for any, separated by commas';
const guid = 'expected a GUID such as 3c6fab4d-6191-4171-a627-dd46f8c2e392';
const mac = 'expected a MAC address such as 00-15-5D-0A-0B-0C';

const address = 'expected an IP address';
const prefix = 'expected an IP address or a prefix such as 10.96.0.0/12';
const port = 'expected a port from 1 to 65535';
const range = 'expected ports from 1 to 65535, lower port first';
const integer = (least: number, most: number) => `expected an integer from ${least} to ${most}`;

/** Invalid Settings, and the problem without the JSON pointer of the Settings. */
type Refused = readonly [type: string, settings: unknown, problem: string];

export const refusedEndpointPolicies: readonly Refused[] = [
  ['ACL', undefined, ' is missing, expected the settings of this policy'],
  ['ACL', 'x', ' is "x", expected an object'],
  ['ACL', { Direction: 'In' }, '/Action is missing, expected "Allow", "Block" or "Pass"'],
  ['ACL', { ...acl, Direction: 'Both' }, '/Direction is "Both", expected "In" or "Out"'],
  ['ACL', { ...acl, RuleType: 1 }, '/RuleType is 1, expected "Host" or "Switch"'],
  ['ACL', { ...acl, Priority: 0 }, `/Priority is 0, ${integer(1, 65535)}`],
  ['ACL', { ...acl, Priority: 0.5 }, `/Priority is 0.5, ${integer(1, 65535)}`],
  ['ACL', { ...acl, Protocols: 6 }, `/Protocols is 6, ${protocols}`],
  ['ACL', { ...acl, Protocols: '6,257' }, `/Protocols is "6,257", ${protocols}`],
  ['ACL', { ...acl, Protocols: 'tcp' }, `/Protocols is "tcp", ${protocols}`],
  ['ACL', { ...acl, LocalAddresses: '10.0.0.1,,x' }, `/LocalAddresses is "10.0.0.1,,x", ${addresses}`],
  ['ACL', { ...acl, RemoteAddresses: '' }, `/RemoteAddresses is "", ${addresses}`],
  ['ACL', { ...acl, RemoteAddresses: 'Any,x' }, `/RemoteAddresses is "Any,x", ${addresses}`],
  ['ACL', { ...acl, LocalAddresses: ['10.0.0.1'] }, `/LocalAddresses is ["10.0.0.1"], ${addresses}`],
  ['ACL', { ...acl, LocalPorts: '80,90-80' }, `/LocalPorts is "80,90-80", ${ports}`],
  ['ACL', { ...acl, LocalPorts: '80-90-100' }, `/LocalPorts is "80-90-100", ${ports}`],
  ['ACL', { ...acl, RemotePorts: '65536' }, `/RemotePorts is "65536", ${ports}`],
  ['PortMapping', { InternalPort: 80 }, '/Protocol is missing, expected TCP or 6, or UDP or 17'],
  ['PortMapping', { Protocol: 1, InternalPort: 80 }, '/Protocol is 1, expected TCP or 6, or UDP or 17'],
  ['PortMapping', { Protocol: 6, InternalPort: 0 }, `/InternalPort is 0, ${integer(1, 65535)}`],
  [
    'PortMapping',
    { Protocol: 6, InternalPort: 80, ExternalPort: 65536 },
    `/ExternalPort is 65536, ${integer(0, 65535)}`,
  ],
  ['PortMapping', { Protocol: 6, InternalPort: 80, VIP: '10.0.0.0/8' }, `/VIP is "10.0.0.0/8", ${address}`],
  ['PortMapping', { Protocol: 6, InternalPort: 80, Flags: 8 }, `/Flags is 8, ${integer(0, 7)}`],
  [
    'QOS',
    { MaximumOutgoingBandwidthInBytes: -1 },
    `/MaximumOutgoingBandwidthInBytes is -1, ${integer(0, 9007199254740991)}`,
  ],
  ['L2Driver', { Name: 'x' }, '/Name is an unknown key (value: "x")'],
  [
    'OutBoundNAT',
    { exceptionList: [] },
    '/exceptionList is an unknown key (value: []), did you mean "Exceptions"?',
  ],
  ['OutBoundNAT', { Exceptions: '10.0.0.0/8' }, '/Exceptions is "10.0.0.0/8", expected a list'],
  ['OutBoundNAT', { Exceptions: ['10.0.0.0/8', 'x'] }, `/Exceptions/1 is "x", ${prefix}`],
  ['OutBoundNAT', { Destinations: [1] }, `/Destinations/0 is 1, ${prefix}`],
  ['OutBoundNAT', { VirtualIP: 'x' }, `/VirtualIP is "x", ${address}`],
  ['SDNRoute', { NextHop: '10.0.0.1' }, `/DestinationPrefix is missing, ${prefix}`],
  ['SDNRoute', { DestinationPrefix: '10.0.0.0/33' }, `/DestinationPrefix is "10.0.0.0/33", ${prefix}`],
  ['SDNRoute', { DestinationPrefix: '10.0.0.0/8', NextHop: 'x' }, `/NextHop is "x", ${address}`],
  ['SDNRoute', { DestinationPrefix: '10.0.0.0/8', NeedEncap: 1 }, '/NeedEncap is 1, expected true or false'],
  ['L4Proxy', {}, '/Destination is missing, expected the proxy to redirect to'],
  ['L4Proxy', { Destination: 'a', IP: 'x' }, `/IP is "x", ${addresses}`],
  ['L4Proxy', { Destination: 'a', Port: '80,x' }, `/Port is "80,x", ${ports}`],
  ['L4Proxy', { Destination: 'a', Port: 0 }, `/Port is 0, ${ports}`],
  [
    'L4Proxy',
    { Destination: 'a', Exceptions: [] },
    '/Exceptions is an unknown key (value: []), did you mean "ExceptionList"?',
  ],
  ['L4WFPPROXY', { InboundProxyPort: '70000' }, `/InboundProxyPort is "70000", ${port}`],
  ['L4WFPPROXY', { OutboundProxyPort: 0 }, `/OutboundProxyPort is 0, ${port}`],
  ['L4WFPPROXY', { FilterTuple: { Protocols: 'x' } }, `/FilterTuple/Protocols is "x", ${protocols}`],
  ['L4WFPPROXY', { FilterTuple: { Priority: 0 } }, `/FilterTuple/Priority is 0, ${integer(1, 65535)}`],
  ['L4WFPPROXY', { UserSID: 'me' }, '/UserSID is "me", expected a security identifier such as S-1-5-32-556'],
  [
    'L4WFPPROXY',
    { InboundExceptions: { PortExceptions: ['90-80'] } },
    `/InboundExceptions/PortExceptions/0 is "90-80", ${range}`,
  ],
  [
    'L4WFPPROXY',
    { OutboundExceptions: { IpAddressExceptions: ['x'] } },
    `/OutboundExceptions/IpAddressExceptions/0 is "x", ${prefix}`,
  ],
  ['ProviderAddress', { ProviderAddress: 'x' }, `/ProviderAddress is "x", ${address}`],
  ['PortName', { Name: ' ' }, '/Name is " ", expected the name of a port'],
  ['EncapOverhead', { Overhead: 65536 }, `/Overhead is 65536, ${integer(0, 65535)}`],
  ['InterfaceConstraint', { InterfaceGuid: '{3c6f}' }, `/InterfaceGuid is "{3c6f}", ${guid}`],
  [
    'InterfaceConstraint',
    { InterfaceLuid: 2 ** 53 + 2 },
    '/InterfaceLuid is 9007199254740994, expected an interface LUID, whose lowest 24 bits are 0',
  ],
  [
    'InterfaceConstraint',
    { InterfaceLuid: 2 ** 64 },
    '/InterfaceLuid is 18446744073709552000, expected an interface LUID, whose lowest 24 bits are 0',
  ],
  [
    'InterfaceConstraint',
    { InterfaceIndex: 2 ** 32 },
    `/InterfaceIndex is 4294967296, ${integer(0, 4294967295)}`,
  ],
  ['Encryption', { EncryptionMethodType: 'Ipsec' }, '/AuthenticationMethods is missing, expected a list'],
  [
    'Encryption',
    { EncryptionMethodType: 'Ipsec', AuthenticationMethods: [{ Type: 'PresharedKey', Settings: {} }] },
    '/AuthenticationMethods/0/Settings/Key is missing, expected a string',
  ],
  [
    'Encryption',
    { EncryptionMethodType: 'Ipsec', AuthenticationMethods: [{ Type: 'Password', Settings: {} }] },
    '/AuthenticationMethods/0/Type is "Password", expected "PresharedKey" or "Certificate"',
  ],
  ['VLAN', { IsolationId: 4095 }, `/IsolationId is 4095, ${integer(1, 4094)}`],
  ['InterfaceParameters', { Mtu: 0 }, `/Mtu is 0, ${integer(1, 65535)}`],
  [
    'Iov',
    { IovOffloadWeight: 1, QueuePairsRequested: 1 },
    '/InterruptModeration is missing, expected a name such as IovInterruptModerationAdaptive, or 0, 1, 2, 100, 200 or 300',
  ],
  ['TierAcl', tier, '/TierAclRules is missing, expected a list'],
  [
    'TierAcl',
    { ...tier, TierAclRules: [{}] },
    '/TierAclRules/0/TierAclRuleAction is missing, expected "Allow", "Block" or "Pass"',
  ],
  [
    'TierAcl',
    { ...tier, TierAclRules: [{ TierAclRuleAction: 'Pass', LocalPorts: 'x' }] },
    `/TierAclRules/0/LocalPorts is "x", ${ports}`,
  ],
  [
    'VmNic',
    { DeviceInstanceId: 'x' },
    '/VfInstanceId is missing, expected the instance ID of a virtual function',
  ],
  ['Firewall', {}, ' is {}, expected VmType, or VmCreatorId with PolicyFlags'],
  ['Firewall', { VmType: 'VM' }, '/VmType is "VM", expected "Invalid", "Host", "WSA" or "WSL"'],
];

export const refusedNetworkPolicies: readonly Refused[] = [
  ['SourceMacAddress', { SourceMacAddress: '00155D0A0B0C' }, `/SourceMacAddress is "00155D0A0B0C", ${mac}`],
  ['DrMacAddress', {}, `/Address is missing, ${mac}`],
  [
    'NetAdapterName',
    { Name: 'Ethernet', NetworkAdapterName: 'Ethernet' },
    '/Name is an unknown key (value: "Ethernet")',
  ],
  [
    'NetAdapterName',
    { NetworkAdapterName: '' },
    '/NetworkAdapterName is "", expected the interface name of a network adapter, such as Ethernet',
  ],
  ['VSwitchExtension', { ExtensionID: 'x' }, `/ExtensionID is "x", ${guid}`],
  ['AutomaticDNS', { Enable: 'yes' }, '/Enable is "yes", expected true or false'],
  [
    'RemoteSubnetRoute',
    { ...remote, IsolationId: 4095 },
    '/IsolationId is 4095, expected a virtual subnet ID from 4096 to 16777214',
  ],
  ['RemoteSubnetRoute', { ...remote, DestinationPrefix: 'x' }, `/DestinationPrefix is "x", ${prefix}`],
  [
    'RemoteSubnetRoute',
    { ...remote, DistributedRouterMacAddress: undefined },
    `/DistributedRouterMacAddress is missing, ${mac}`,
  ],
  ['VxlanPort', { Port: 0 }, `/Port is 0, ${integer(1, 65535)}`],
  ['HostRoute', { Enable: true }, '/Enable is an unknown key (value: true)'],
  ['SetPolicy', { ...set, Name: undefined }, '/Name is missing, expected the name of the set'],
  ['SetPolicy', { ...set, PolicyType: 'SET' }, '/PolicyType is "SET", expected "IPSET" or "NESTEDIPSET"'],
  ['SetPolicy', { ...set, Values: 'pods' }, `/Values is "pods", ${addresses}`],
  [
    'SetPolicy',
    { ...set, PolicyType: 'NESTEDIPSET', Values: 'a,' },
    '/Values is "a,", expected the IDs of sets, separated by commas',
  ],
  ['LayerConstraint', {}, `/LayerId is missing, ${guid}`],
  ['NetworkACL', { ...acl, LocalPorts: '0' }, `/LocalPorts is "0", ${ports}`],
  ['NeighborDiscovery', { TargetIpPrefix: 'fd00::/64' }, `/SenderIpAddress is missing, ${address}`],
];
