// Schemas of the Settings of each policy type.

import {
  actionType,
  authenticationType,
  directionType,
  encryptionMethod,
  firewallVmType,
  interruptModeration,
  protocolType,
  ruleType,
  setPolicyType,
} from './enumerations.ts';
import {
  any,
  arrayOf,
  boolean,
  guid,
  type Member,
  type ObjectSchema,
  object,
  required,
  type Schema,
  since,
  string,
  uint16,
  uint32,
  uint64,
} from './schema.ts';

export interface PolicyType {
  readonly settings: ObjectSchema;
  readonly since?: readonly [major: number, minor: number];
}

// Schema 2.5 moved Protocols to Priority into a base type. ACLs had them before, so they have no `since`.
const fiveTuple = {
  Protocols: string,
  LocalAddresses: string,
  RemoteAddresses: string,
  LocalPorts: string,
  RemotePorts: string,
  Priority: uint16,
};
const acl = object({
  ...fiveTuple,
  Id: string,
  Action: required(actionType),
  Direction: required(directionType),
  RuleType: ruleType,
});
const interfaceConstraint = object({
  InterfaceGuid: guid,
  InterfaceLuid: uint64,
  InterfaceIndex: uint32,
  InterfaceMediaType: uint32,
  InterfaceAlias: string,
  InterfaceDescription: string,
});
const l4Proxy = object({
  IP: string,
  Port: string,
  Protocol: protocolType,
  ExceptionList: arrayOf(string),
  Destination: required(string),
  OutboundNat: boolean,
});
const providerAddress = object({ ProviderAddress: required(string) });
const exceptions = object({ IpAddressExceptions: arrayOf(string), PortExceptions: arrayOf(string) });
const isolation = object({ IsolationId: required(uint32) });

export const networkPolicies: ReadonlyMap<string, PolicyType> = table({
  SourceMacAddress: { SourceMacAddress: required(string) },
  NetAdapterName: { NetworkAdapterName: required(string) },
  InterfaceConstraint: interfaceConstraint,
  VSwitchExtension: { ExtensionID: required(guid), Enable: boolean },
  ProviderAddress: providerAddress,
  DrMacAddress: { Address: required(string) },
  AutomaticDNS: { Enable: boolean },
  RemoteSubnetRoute: {
    DestinationPrefix: required(string),
    IsolationId: required(uint32),
    ProviderAddress: required(string),
    DistributedRouterMacAddress: required(string),
  },
  VxlanPort: [[10, 3], { Port: required(uint16) }],
  HostRoute: {},
  SetPolicy: [
    [13, 0],
    {
      Id: required(string),
      Name: required(string),
      PolicyType: required(setPolicyType),
      Values: required(string),
    },
  ],
  L4Proxy: l4Proxy,
  LayerConstraint: { LayerId: required(guid) },
  NetworkACL: [[15, 0], acl],
  NeighborDiscovery: [
    [15, 0],
    { TargetIpPrefix: required(string), SenderIpAddress: required(string), SenderMacAddress: string },
  ],
});

export const endpointPolicies: ReadonlyMap<string, PolicyType> = table({
  PortMapping: {
    Protocol: protocolType,
    InternalPort: uint16,
    ExternalPort: uint16,
    VIP: string,
    Flags: uint32,
  },
  ACL: acl,
  QOS: { MaximumOutgoingBandwidthInBytes: uint64 },
  L2Driver: {},
  OutBoundNAT: {
    VirtualIP: string,
    Destinations: arrayOf(string),
    Exceptions: arrayOf(string),
    Flags: uint32,
    MaxPortPoolUsage: since(15, 0, uint16),
  },
  SDNRoute: {
    DestinationPrefix: string,
    NextHop: string,
    NeedEncap: boolean,
    AutomaticEndpointMonitor: boolean,
  },
  L4Proxy: l4Proxy,
  L4WFPPROXY: [
    [13, 2],
    {
      InboundProxyPort: string,
      OutboundProxyPort: string,
      FilterTuple: object(fiveTuple),
      UserSID: string,
      InboundExceptions: since(14, 0, exceptions),
      OutboundExceptions: since(14, 0, exceptions),
    },
  ],
  ProviderAddress: providerAddress,
  PortName: { Name: required(string) },
  EncapOverhead: { Overhead: uint16 },
  InterfaceConstraint: interfaceConstraint,
  Encryption: [
    [10, 0],
    {
      EncryptionMethodType: required(encryptionMethod),
      AuthenticationMethods: required(arrayOf(object({ Type: authenticationType, Settings: any }))),
      Name: string,
      Endpoints1: arrayOf(string),
      Endpoints2: arrayOf(string),
      ProtocolType: string,
      Endpoint1Ports: arrayOf(string),
      Endpoint2Ports: arrayOf(string),
    },
  ],
  VLAN: [[11, 0], isolation],
  InterfaceParameters: [[11, 0], { Mtu: uint16 }],
  Iov: [
    [13, 0],
    {
      IovOffloadWeight: required(uint32),
      QueuePairsRequested: required(uint32),
      InterruptModeration: required(interruptModeration),
    },
  ],
  TierAcl: [
    [14, 0],
    {
      Name: required(string),
      Direction: required(directionType),
      Order: required(uint16),
      TierAclRules: required(
        arrayOf(object({ ...fiveTuple, Id: string, TierAclRuleAction: required(actionType) })),
      ),
    },
  ],
  VmNic: [[15, 0], { DeviceInstanceId: required(guid), VfInstanceId: required(guid) }],
  Firewall: [
    [15, 0],
    { VmType: firewallVmType, FirewallPolicyFlags: uint32, VmCreatorId: guid, PolicyFlags: uint32 },
  ],
});

type Row =
  | ObjectSchema
  | Readonly<Record<string, Schema | Member>>
  | readonly [since: readonly [number, number], settings: Row];

function table(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, PolicyType> {
  return new Map(Object.entries(rows).map(([type, row]) => [type, policyType(row)]));
}

function policyType(row: Row): PolicyType {
  if (isGated(row)) return { settings: policyType(row[1]).settings, since: row[0] };
  return { settings: { ...(isSchema(row) ? row : object(row)), isSettings: true } };
}

function isGated(row: Row): row is readonly [readonly [number, number], Row] {
  return Array.isArray(row);
}

function isSchema(row: Exclude<Row, readonly unknown[]>): row is ObjectSchema {
  return 'kind' in row && row.kind === 'object' && 'members' in row;
}
