import { isObject } from '../json/members.ts';
import { protocolNumbers } from '../net/protocols.ts';
import {
  address,
  addressList,
  addressOrPrefix,
  each,
  guid,
  macAddress,
  numbered,
  portList,
  portRange,
  portText,
  protocolList,
  type Reader,
  routePrefix,
  setOfAddresses,
  setOfSets,
} from './policy-values.ts';
import type { Problems } from './problems.ts';

type Members = Readonly<Record<string, Reader>>;

/** An object of which some members have a form of their own. */
function object(members: Members): Reader {
  return (value, path, problems) =>
    isObject(value) ? readMembers(value, members, path, problems) : undefined;
}

function readMembers(
  json: Readonly<Record<string, unknown>>,
  members: Members,
  path: string,
  problems: Problems,
): Readonly<Record<string, unknown>> {
  const read = Object.entries(json).map(([key, value]) => {
    const reader = members[key];
    return [key, reader === undefined ? value : reader(value, `${path}/${key}`, problems)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

const { icmpv4, igmp, tcp, udp, icmpv6 } = protocolNumbers;
/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#ProtocolType */
const protocol = numbered({
  Unknown: 0,
  ICMPv4: icmpv4,
  IGMP: igmp,
  TCP: tcp,
  UDP: udp,
  ICMPv6: icmpv6,
});
const interruptModerations = {
  IovInterruptModerationDefault: 0,
  IovInterruptModerationAdaptive: 1,
  IovInterruptModerationOff: 2,
  IovInterruptModerationLow: 100,
  IovInterruptModerationMedium: 200,
  IovInterruptModerationHigh: 300,
};

const fiveTuple = {
  Protocols: protocolList,
  LocalAddresses: addressList,
  RemoteAddresses: addressList,
  LocalPorts: portList,
  RemotePorts: portList,
};
const proxyExceptions = object({
  IpAddressExceptions: each(addressOrPrefix),
  PortExceptions: each(portRange),
});
const l4Proxy = {
  IP: addressList,
  Port: portList,
  Protocol: protocol,
  ExceptionList: each(addressOrPrefix),
};
const providerAddress = { ProviderAddress: address };
const interfaceConstraint = { InterfaceGuid: guid };

/** Readers of the Settings of endpoint policies whose members have a form of their own, by type. */
export const endpointSettings: ReadonlyMap<string, Reader> = settings({
  PortMapping: { Protocol: protocol, VIP: address },
  ACL: fiveTuple,
  OutBoundNAT: {
    VirtualIP: address,
    Destinations: each(addressOrPrefix),
    Exceptions: each(addressOrPrefix),
  },
  SDNRoute: { DestinationPrefix: routePrefix, NextHop: address },
  L4Proxy: l4Proxy,
  L4WFPPROXY: {
    InboundProxyPort: portText,
    OutboundProxyPort: portText,
    FilterTuple: object(fiveTuple),
    InboundExceptions: proxyExceptions,
    OutboundExceptions: proxyExceptions,
  },
  ProviderAddress: providerAddress,
  InterfaceConstraint: interfaceConstraint,
  Iov: { InterruptModeration: numbered(interruptModerations) },
  TierAcl: { TierAclRules: each(object(fiveTuple)) },
  Firewall: { VmCreatorId: guid },
});

/** The same for network policies. */
export const networkSettings: ReadonlyMap<string, Reader> = new Map([
  ...settings({
    SourceMacAddress: { SourceMacAddress: macAddress },
    InterfaceConstraint: interfaceConstraint,
    VSwitchExtension: { ExtensionID: guid },
    ProviderAddress: providerAddress,
    DrMacAddress: { Address: macAddress },
    RemoteSubnetRoute: {
      DestinationPrefix: routePrefix,
      ...providerAddress,
      DistributedRouterMacAddress: macAddress,
    },
    L4Proxy: l4Proxy,
    LayerConstraint: { LayerId: guid },
    NetworkACL: fiveTuple,
    NeighborDiscovery: {
      TargetIpPrefix: routePrefix,
      SenderIpAddress: address,
      SenderMacAddress: macAddress,
    },
  }),
  ['SetPolicy', readSet],
]);

function settings(types: Readonly<Record<string, Members>>): ReadonlyMap<string, Reader> {
  return new Map(Object.entries(types).map(([type, members]) => [type, object(members)]));
}

/** What the values of a set are depends on its type; a set may be empty. */
function readSet(value: unknown, path: string, problems: Problems): unknown {
  const set = isObject(value) ? value : {};
  if (set['Values'] === '') return set;
  const Values = set['PolicyType'] === 'IPSET' ? setOfAddresses : setOfSets;
  return readMembers(set, { Values }, path, problems);
}
