import type { Policy } from '../hcn/documents.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { protocolNumbers } from '../net/protocols.ts';
import type { Problems } from './problems.ts';
import {
  listOf,
  numberOf,
  type Reader,
  readAddress,
  readGuid,
  readLuid,
  readMac,
  readPort,
  readPortList,
  readPortRange,
  readPrefix,
  readPrefixList,
  readProtocolList,
  readRoutePrefix,
  readSetOfPrefixes,
  readSetOfSets,
} from './values.ts';

/**
 * Returns policies in the form HCN takes: canonical addresses, host bits cleared, numbers for enum values, lists without spaces.
 * Every policy has Settings, `{}` if the configuration has none, as flannel and hns.v2.psm1 send them.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#EndpointPolicy
 */
export function readEndpointPolicies(policies: readonly Policy[], problems: Problems): readonly Policy[] {
  const path = '/endpointPolicies';
  policies.forEach(({ Type }, index) => {
    if (Type !== 'InterfaceParameters') return;
    if (policies.findIndex((policy) => policy.Type === Type) === index) return;
    problems.invalid(`${path}/${index}/Type`, Type, 'only one policy of this type');
  });
  return readPolicies(policies, endpointSettings, path, problems);
}

/** As above, for a network. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NetworkPolicy */
export function readNetworkPolicies(policies: readonly Policy[], problems: Problems): readonly Policy[] {
  return readPolicies(policies, networkSettings, '/networkPolicies', problems);
}

function readPolicies(
  policies: readonly Policy[],
  readers: ReadonlyMap<string, Reader>,
  path: string,
  problems: Problems,
): readonly Policy[] {
  return policies.map(({ Type, Settings }, index) => {
    const reader = Settings === undefined ? undefined : readers.get(Type);
    const read = reader?.(Settings, `${path}/${index}/Settings`, problems) ?? Settings;
    return { Type, Settings: isObject(read) ? read : {} };
  });
}

type Members = Readonly<Record<string, Reader>>;

/** Reads the members of an object; those without a reader are unchanged. */
function object(readers: Members): Reader {
  return (value, path, problems) =>
    isObject(value) ? readMembers(value, readers, path, problems) : undefined;
}

function readMembers(json: JsonObject, readers: Members, path: string, problems: Problems): JsonObject {
  const read = Object.entries(json).map(([key, value]) => {
    const reader = readers[key];
    return [key, reader === undefined ? value : reader(value, `${path}/${key}`, problems)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

const { icmpv4, igmp, tcp, udp, icmpv6 } = protocolNumbers;
/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#ProtocolType */
const readProtocol = numberOf({
  Unknown: 0,
  ICMPv4: icmpv4,
  IGMP: igmp,
  TCP: tcp,
  UDP: udp,
  ICMPv6: icmpv6,
});
/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#IovInterruptModerationType */
const readInterruptModeration = numberOf({
  IovInterruptModerationDefault: 0,
  IovInterruptModerationAdaptive: 1,
  IovInterruptModerationOff: 2,
  IovInterruptModerationLow: 100,
  IovInterruptModerationMedium: 200,
  IovInterruptModerationHigh: 300,
});

const fiveTuple = {
  Protocols: readProtocolList,
  LocalAddresses: readPrefixList,
  RemoteAddresses: readPrefixList,
  LocalPorts: readPortList,
  RemotePorts: readPortList,
};
const proxyExceptions = object({
  IpAddressExceptions: listOf(readPrefix),
  PortExceptions: listOf(readPortRange),
});
const l4Proxy = {
  IP: readPrefixList,
  Port: readPortList,
  Protocol: readProtocol,
  ExceptionList: listOf(readPrefix),
};
const providerAddress = { ProviderAddress: readAddress };
const interfaceConstraint = { InterfaceGuid: readGuid, InterfaceLuid: readLuid };

/** Readers of an endpoint policy's Settings, by type. A type whose Settings need no conversion has none. */
const endpointSettings: ReadonlyMap<string, Reader> = settings({
  PortMapping: { Protocol: readProtocol, VIP: readAddress },
  ACL: fiveTuple,
  OutBoundNAT: {
    VirtualIP: readAddress,
    Destinations: listOf(readPrefix),
    Exceptions: listOf(readPrefix),
  },
  SDNRoute: { DestinationPrefix: readRoutePrefix, NextHop: readAddress },
  L4Proxy: l4Proxy,
  L4WFPPROXY: {
    InboundProxyPort: readPort,
    OutboundProxyPort: readPort,
    FilterTuple: object(fiveTuple),
    InboundExceptions: proxyExceptions,
    OutboundExceptions: proxyExceptions,
  },
  ProviderAddress: providerAddress,
  InterfaceConstraint: interfaceConstraint,
  Iov: { InterruptModeration: readInterruptModeration },
  TierAcl: { TierAclRules: listOf(object(fiveTuple)) },
  Firewall: { VmCreatorId: readGuid },
});

/** The same for network policies. */
const networkSettings: ReadonlyMap<string, Reader> = new Map([
  ...settings({
    SourceMacAddress: { SourceMacAddress: readMac },
    InterfaceConstraint: interfaceConstraint,
    VSwitchExtension: { ExtensionID: readGuid },
    ProviderAddress: providerAddress,
    DrMacAddress: { Address: readMac },
    RemoteSubnetRoute: {
      DestinationPrefix: readRoutePrefix,
      ...providerAddress,
      DistributedRouterMacAddress: readMac,
    },
    L4Proxy: l4Proxy,
    LayerConstraint: { LayerId: readGuid },
    NetworkACL: fiveTuple,
    NeighborDiscovery: {
      TargetIpPrefix: readRoutePrefix,
      SenderIpAddress: readAddress,
      SenderMacAddress: readMac,
    },
  }),
  ['SetPolicy', readSet],
]);

function settings(types: Readonly<Record<string, Members>>): ReadonlyMap<string, Reader> {
  return new Map(Object.entries(types).map(([type, readers]) => [type, object(readers)]));
}

/** A set's type decides what its values are; a set may be empty. */
function readSet(value: unknown, path: string, problems: Problems): unknown {
  const set = isObject(value) ? value : {};
  if (set['Values'] === '') return undefined;
  const Values = set['PolicyType'] === 'IPSET' ? readSetOfPrefixes : readSetOfSets;
  return readMembers(set, { Values }, path, problems);
}
