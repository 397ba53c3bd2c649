// The settings of each policy type in words: https://learn.microsoft.com/virtualization/api/hcn/hns_schema

import type { Policy } from '../../hcn/documents.ts';
import { isObject } from '../../json/members.ts';
import { formatPort } from '../../net/address.ts';
import { aclRow, aclText, describeTuple } from './acl-row.ts';
import {
  authenticationText,
  bandwidthText,
  exceptionsText,
  flagTexts,
  itemsOf,
  listText,
  named,
  phrases,
  protocolText,
  tupleOf,
  valueText,
} from './setting-text.ts';

type Settings = NonNullable<Policy['Settings']>;

/** Words for some of the settings, and those that remain. */
interface Worded {
  readonly text: string;
  readonly rest: Settings;
}

type Words = (settings: Settings) => Worded;

/** Returns the function that puts the settings of a type into words; undefined for an unknown type. */
export function policyWords(type: string): Words | undefined {
  return words.get(type.toLowerCase());
}

const acl =
  (type: string): Words =>
  (settings) => {
    const { Protocols: _p, LocalAddresses: _la, RemoteAddresses: _ra, LocalPorts: _lp, ...others } = settings;
    const { RemotePorts: _rp, Priority: _n, Action: _a, Direction: _d, RuleType: _t, Id, ...rest } = others;
    const name = Id ? ` "${Id}"` : '';
    return { text: `${aclText(aclRow({ Type: type, Settings: settings }))}${name}`, rest };
  };

const proxy: Words = ({ IP, Port, Protocol, ExceptionList, Destination, OutboundNat, ...rest }) => ({
  text: phrases(
    `${protocolText(Protocol)} to ${listText(IP) || 'any'} port ${listText(Port) || 'any'} goes to ${valueText(Destination)}`,
    named('except to', ExceptionList),
    OutboundNat === true && 'from a node address',
  ),
  rest,
});

const interfaceConstraint: Words = (settings) => {
  const { InterfaceAlias, InterfaceDescription, InterfaceIndex, ...others } = settings;
  const { InterfaceGuid, InterfaceLuid, InterfaceMediaType, ...rest } = others;
  const conditions = phrases(
    named('', InterfaceAlias),
    named('', InterfaceDescription),
    named('index', InterfaceIndex),
    named('GUID', InterfaceGuid),
    named('LUID', InterfaceLuid),
    named('media type', InterfaceMediaType),
  );
  return { text: `only on interface ${conditions || 'any'}`, rest };
};

const words: ReadonlyMap<string, Words> = lowerCased({
  PortMapping: ({ Protocol, InternalPort, ExternalPort, VIP, Flags, ...rest }) => {
    const port = valueText(ExternalPort);
    const outside = VIP ? formatPort(valueText(VIP), port) : port;
    const mapping = `${protocolText(Protocol)} ${outside} -> ${valueText(InternalPort)}${VIP ? '' : ' (node)'}`;
    return { text: phrases(mapping, ...flagTexts(Flags)), rest };
  },
  ACL: acl('ACL'),
  NetworkACL: acl('NetworkACL'),
  QOS: ({ MaximumOutgoingBandwidthInBytes: bytes, ...rest }) => ({
    text: bytes ? `sends at most ${bandwidthText(bytes)}` : 'no limit',
    rest,
  }),
  L2Driver: (rest) => ({ text: 'uses the layer 2 driver', rest }),
  OutBoundNAT: ({ VirtualIP, Destinations, Exceptions, MaxPortPoolUsage, Flags, ...rest }) => ({
    text: phrases(
      VirtualIP ? `leaves as ${VirtualIP}` : 'leaves as a node address',
      named('only to', Destinations),
      named('except to', Exceptions),
      MaxPortPoolUsage ? `with at most ${MaxPortPoolUsage} ports` : '',
      ...flagTexts(Flags),
    ),
    rest,
  }),
  SDNRoute: ({ DestinationPrefix, NextHop, NeedEncap, AutomaticEndpointMonitor, ...rest }) => ({
    text: phrases(
      `${valueText(DestinationPrefix)}${NextHop ? ` via ${NextHop}` : ''}`,
      NeedEncap === true ? 'encapsulated' : 'not encapsulated',
      AutomaticEndpointMonitor === true && 'with endpoint monitor',
    ),
    rest,
  }),
  L4Proxy: proxy,
  L4WFPPROXY: (settings) => {
    const { InboundProxyPort, OutboundProxyPort, FilterTuple, UserSID, ...others } = settings;
    const { InboundExceptions, OutboundExceptions, ...rest } = others;
    const priority = isObject(FilterTuple) ? named('priority', FilterTuple['Priority']) : '';
    const traffic = phrases(describeTuple(tupleOf(FilterTuple)), priority);
    const to = (direction: string, port: unknown, exceptions: unknown) =>
      port ? phrases(`${direction} to port ${port}`, exceptionsText(exceptions)) : '';
    return {
      text: [
        `${traffic} goes to a proxy in the pod`,
        to('out', OutboundProxyPort, OutboundExceptions),
        to('in', InboundProxyPort, InboundExceptions),
        UserSID ? `not from account ${UserSID}` : '',
      ]
        .filter((part) => part !== '')
        .join('; '),
      rest,
    };
  },
  ProviderAddress: ({ ProviderAddress, ...rest }) => ({
    text: `node address ${valueText(ProviderAddress)}`,
    rest,
  }),
  PortName: ({ Name, ...rest }) => ({ text: `switch port "${valueText(Name)}"`, rest }),
  EncapOverhead: ({ Overhead, ...rest }) => ({
    text: `MTU reduced by ${valueText(Overhead)} bytes for encapsulation`,
    rest,
  }),
  InterfaceConstraint: interfaceConstraint,
  Encryption: (settings) => {
    const { EncryptionMethodType, AuthenticationMethods, Name, ProtocolType, ...others } = settings;
    const { Endpoints1, Endpoint1Ports, Endpoints2, Endpoint2Ports, ...rest } = others;
    const side = (addresses: unknown, ports: unknown) =>
      `${listText(addresses) || 'any'} port ${listText(ports) || 'any'}`;
    const protocol = ProtocolType ? String(ProtocolType).toLowerCase() : 'any protocol';
    const text = phrases(
      `${valueText(EncryptionMethodType)} for ${protocol} between ${side(Endpoints1, Endpoint1Ports)} and ${side(Endpoints2, Endpoint2Ports)}`,
      named('by', itemsOf(AuthenticationMethods).map(authenticationText)),
    );
    return { text: Name ? `"${Name}": ${text}` : text, rest };
  },
  VLAN: ({ IsolationId, ...rest }) => ({ text: `VLAN ${valueText(IsolationId)}`, rest }),
  VSID: ({ IsolationId, ...rest }) => ({ text: `virtual subnet ${valueText(IsolationId)}`, rest }),
  InterfaceParameters: ({ Mtu, ...rest }) => ({ text: named('MTU', Mtu), rest }),
  Iov: ({ IovOffloadWeight, QueuePairsRequested, InterruptModeration, ...rest }) => ({
    text: phrases(
      IovOffloadWeight ? `SR-IOV with weight ${IovOffloadWeight}` : 'no SR-IOV',
      named('queue pairs', QueuePairsRequested),
      named('interrupt moderation', InterruptModeration),
    ),
    rest,
  }),
  TierAcl: ({ Name, Direction, Order, TierAclRules, ...rest }) => {
    const rules = itemsOf(TierAclRules).map((rule) => {
      const rank = rule['Priority'] === undefined ? '' : `${rule['Priority']} `;
      const action = valueText(rule['TierAclRuleAction'] || 'Allow');
      return `${rank}${action}: ${describeTuple(tupleOf(rule))}${rule['Id'] ? ` "${rule['Id']}"` : ''}`;
    });
    const tier = `${valueText(Direction || 'In')} tier ${valueText(Order)} "${valueText(Name)}"`;
    return { text: [tier, ...rules].join('; '), rest };
  },
  VmNic: ({ DeviceInstanceId, VfInstanceId, ...rest }) => ({
    text: phrases(named('VM adapter', DeviceInstanceId), named('virtual function', VfInstanceId)),
    rest,
  }),
  Firewall: ({ VmType, VmCreatorId, PolicyFlags, FirewallPolicyFlags, ...rest }) => ({
    text: phrases(
      'VM firewall',
      named('type', VmType),
      named('creator', VmCreatorId),
      named('flags', PolicyFlags ?? FirewallPolicyFlags),
    ),
    rest,
  }),
  SourceMacAddress: ({ SourceMacAddress, ...rest }) => ({
    text: `leaves with MAC address ${valueText(SourceMacAddress)}`,
    rest,
  }),
  NetAdapterName: ({ NetworkAdapterName, ...rest }) => ({
    text: `adapter ${valueText(NetworkAdapterName)}`,
    rest,
  }),
  VSwitchExtension: ({ ExtensionID, Enable, ...rest }) => ({
    text: `extension ${valueText(ExtensionID)} ${Enable === true ? 'enabled' : 'disabled'}`,
    rest,
  }),
  DrMacAddress: ({ Address, ...rest }) => ({ text: `router MAC address ${valueText(Address)}`, rest }),
  AutomaticDNS: ({ Enable, ...rest }) => ({
    text: Enable === true ? "endpoints get the node's DNS" : "endpoints do not get the node's DNS",
    rest,
  }),
  RemoteSubnetRoute: (settings) => {
    const { DestinationPrefix, ProviderAddress, IsolationId, DistributedRouterMacAddress, ...rest } =
      settings;
    return {
      text: phrases(
        `${valueText(DestinationPrefix)} on node ${valueText(ProviderAddress)}`,
        named('virtual subnet', IsolationId),
        named('router MAC address', DistributedRouterMacAddress),
      ),
      rest,
    };
  },
  VxlanPort: ({ Port, ...rest }) => ({ text: `VXLAN on udp ${valueText(Port)}`, rest }),
  HostRoute: (rest) => ({ text: 'the node reaches local endpoints', rest }),
  SetPolicy: ({ Id, Name, PolicyType, Values, ...rest }) => {
    const name = Id === Name || !Name ? `"${valueText(Id)}"` : `"${Name}" (${valueText(Id)})`;
    const of = String(PolicyType).toUpperCase() === 'NESTEDIPSET' ? 'sets' : 'addresses';
    return { text: `set ${name} of ${of}: ${listText(Values) || 'empty'}`, rest };
  },
  LayerConstraint: ({ LayerId, ...rest }) => ({ text: `only in layer ${valueText(LayerId)}`, rest }),
  NeighborDiscovery: ({ TargetIpPrefix, SenderIpAddress, SenderMacAddress, ...rest }) => ({
    text: phrases(
      `answers for ${valueText(TargetIpPrefix)}`,
      named('from', SenderIpAddress),
      named('with MAC address', SenderMacAddress),
    ),
    rest,
  }),
});

function lowerCased(table: Readonly<Record<string, Words>>): ReadonlyMap<string, Words> {
  return new Map(Object.entries(table).map(([type, inWords]) => [type.toLowerCase(), inWords]));
}
