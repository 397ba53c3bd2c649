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
const integer = (least: number, most: number) => `expected an integer from ${least} to ${most}`;

/** Invalid Settings, and the problem without the JSON pointer of the Settings. */
type Refused = readonly [type: string, settings: unknown, problem: string];

export const refusedEndpointPolicies: readonly Refused[] = [
  ['ACL', undefined, ' is missing, expected the settings of this policy'],
  ['ACL', 'x', ' is "x", expected an object'],
  ['ACL', { Direction: 'In' }, '/Action is missing, expected "Allow", "Block" or "Pass"'],
  ['ACL', { ...acl, Direction: 'Both' }, '/Direction is "Both", expected "In" or "Out"'],
  ['ACL', { ...acl, Priority: 0 }, `/Priority is 0, ${integer(1, 65535)}`],
  ['ACL', { ...acl, Protocols: '6,257' }, `/Protocols is "6,257", ${protocols}`],
  ['ACL', { ...acl, LocalAddresses: '10.0.0.1,,x' }, `/LocalAddresses is "10.0.0.1,,x", ${addresses}`],
  ['ACL', { ...acl, LocalPorts: '80,90-80' }, `/LocalPorts is "80,90-80", ${ports}`],
  ['PortMapping', { InternalPort: 80 }, '/Protocol is missing, expected TCP or 6, or UDP or 17'],
  ['PortMapping', { Protocol: 6, InternalPort: 80, VIP: '10.0.0.0/8' }, `/VIP is "10.0.0.0/8", ${address}`],
  ['L2Driver', { Name: 'x' }, '/Name is an unknown key (value: "x")'],
  [
    'OutBoundNAT',
    { exceptionList: [] },
    '/exceptionList is an unknown key (value: []), did you mean "Exceptions"?',
  ],
  ['OutBoundNAT', { Exceptions: '10.0.0.0/8' }, '/Exceptions is "10.0.0.0/8", expected a list'],
  ['OutBoundNAT', { Exceptions: ['10.0.0.0/8', 'x'] }, `/Exceptions/1 is "x", ${prefix}`],
  ['SDNRoute', { DestinationPrefix: '10.0.0.0/8', NeedEncap: 1 }, '/NeedEncap is 1, expected true or false'],
  ['L4Proxy', { Destination: 'a', Port: '80,x' }, `/Port is "80,x", ${ports}`],
  ['L4WFPPROXY', { InboundProxyPort: '70000' }, `/InboundProxyPort is "70000", ${port}`],
  ['L4WFPPROXY', { UserSID: 'me' }, '/UserSID is "me", expected a security identifier such as S-1-5-32-556'],
  ['InterfaceConstraint', { InterfaceGuid: '{3c6f}' }, `/InterfaceGuid is "{3c6f}", ${guid}`],
  [
    'InterfaceConstraint',
    { InterfaceLuid: 2 ** 53 + 2 },
    '/InterfaceLuid is 9007199254740994, expected an interface LUID, whose lowest 24 bits are 0',
  ],
  ['Encryption', { EncryptionMethodType: 'Ipsec' }, '/AuthenticationMethods is missing, expected a list'],
  [
    'Encryption',
    { EncryptionMethodType: 'Ipsec', AuthenticationMethods: [{ Type: 'PresharedKey', Settings: {} }] },
    '/AuthenticationMethods/0/Settings/Key is missing, expected a string',
  ],
  [
    'TierAcl',
    { ...tier, TierAclRules: [{}] },
    '/TierAclRules/0/TierAclRuleAction is missing, expected "Allow", "Block" or "Pass"',
  ],
  ['Firewall', {}, ' is {}, expected VmType, or VmCreatorId with PolicyFlags'],
];

export const refusedNetworkPolicies: readonly Refused[] = [
  ['SourceMacAddress', { SourceMacAddress: '00155D0A0B0C' }, `/SourceMacAddress is "00155D0A0B0C", ${mac}`],
  [
    'NetAdapterName',
    { Name: 'Ethernet', NetworkAdapterName: 'Ethernet' },
    '/Name is an unknown key (value: "Ethernet")',
  ],
  [
    'RemoteSubnetRoute',
    { ...remote, IsolationId: 4095 },
    '/IsolationId is 4095, expected a virtual subnet ID from 4096 to 16777214',
  ],
  ['SetPolicy', { ...set, Values: 'pods' }, `/Values is "pods", ${addresses}`],
];
