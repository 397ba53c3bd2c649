import { CniError, code } from '../cni/error.ts';
import type {
  AclConfig,
  NetworkConfig,
  OutboundNatConfig,
  PortMappingConfig,
  SdnRouteConfig,
} from '../config/network-config.ts';
import type { HostComputeEndpoint, Policy } from '../hcn/documents.ts';
import { settingsOf } from '../model/network-document.ts';
import { type Family, familyOf } from '../net/address.ts';
import { protocolNumbers } from '../net/protocols.ts';
import { mergeOutboundNat } from './outbound-nat.ts';

/** What an endpoint's policies depend on besides the configuration. */
export interface PolicyContext {
  /** The node's address on the physical network; an Overlay endpoint carries it so that other nodes know where to send packets. */
  readonly providerAddress: string | undefined;
  /** The endpoint's, where they are known. */
  readonly addresses: readonly string[];
  /** The families of its addresses, known or not. */
  readonly families: readonly Family[];
  /** Of its network, as far as it is on them. */
  readonly ownSubnets: readonly string[];
  /** In bytes. */
  readonly encapOverhead: number | undefined;
}

/** The endpoint policies of a configuration, in HCN's form. */
export function endpointPolicies(config: NetworkConfig, context: PolicyContext): readonly Policy[] {
  const { portMappings, outboundNat, egressBytes, behavior } = config;
  const wanted = [
    ...config.acls.map(aclPolicy),
    ...(config.portMapping.allowAcl ? portMappingAcls(portMappings, behavior.portMappingRuleType) : []),
    ...(outboundNat === undefined ? [] : outboundNatPolicies(outboundNat)),
    ...(behavior.exceptOwnSubnets
      ? [{ Type: 'OutBoundNAT', Settings: { Exceptions: context.ownSubnets } }]
      : []),
    ...(config.loopbackDSR ? loopbackPolicies(context.addresses) : []),
    ...config.sdnRoutes.map(sdnRoutePolicy),
    ...portMappings.flatMap((mapping) => portMappingPolicies(mapping, config, context.families)),
    ...(egressBytes === undefined ? [] : [qosPolicy(egressBytes)]),
    ...(context.encapOverhead === undefined ? [] : [encapOverheadPolicy(context.encapOverhead)]),
    ...config.endpointPolicies,
  ];
  const own = [...mergeOutboundNat(wanted, context.families), ...defaultAcls(config.defaultAction)];
  const provided = settingsOf(own, 'ProviderAddress') !== undefined;
  return context.providerAddress === undefined || provided
    ? own
    : [...own, { Type: 'ProviderAddress', Settings: { ProviderAddress: context.providerAddress } }];
}

/**
 * Exceptions and destinations stay two policies: destinations narrow what their policy translates.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
function outboundNatPolicies(nat: OutboundNatConfig): readonly Policy[] {
  const shared = {
    ...(nat.virtualIP !== undefined && { VirtualIP: nat.virtualIP }),
    ...(nat.maxPortPoolUsage !== undefined && { MaxPortPoolUsage: nat.maxPortPoolUsage }),
  };
  const general = { ...shared, ...(nat.exceptions.length > 0 && { Exceptions: nat.exceptions }) };
  const narrowed = { ...shared, Destinations: nat.destinations };
  return [
    { Type: 'OutBoundNAT', Settings: general },
    ...(nat.destinations.length > 0 ? [{ Type: 'OutBoundNAT', Settings: narrowed }] : []),
  ];
}

/**
 * The policies that wait for the addresses HNS assigns. Throws code 7 where there is none they could be for.
 */
export function policiesAfterAssignment(
  config: NetworkConfig,
  { IpConfigurations = [] }: HostComputeEndpoint,
): readonly Policy[] {
  const policies = config.loopbackDSR
    ? loopbackPolicies(IpConfigurations.map(({ IpAddress }) => IpAddress))
    : undefined;
  if (policies?.length === 0) throw new CniError(code.invalidConfig, loopbackNeedsIPv4);
  return policies ?? [];
}

export const loopbackNeedsIPv4 =
  '/loopbackDSR is true, and the endpoint has no IPv4 address: leave it out, or give the network an IPv4 subnet';

/** Translates what an endpoint sends to itself: a service with direct server return leads it back to the pod that asked. */
function loopbackPolicies(addresses: readonly string[]): readonly Policy[] {
  const own = addresses.filter((address) => familyOf(address) === 'IPv4');
  return own.length === 0 ? [] : [{ Type: 'OutBoundNAT', Settings: { Destinations: own } }];
}

function sdnRoutePolicy(route: SdnRouteConfig): Policy {
  return {
    Type: 'SDNRoute',
    Settings: {
      DestinationPrefix: route.destinationPrefix,
      ...(route.nextHop !== undefined && { NextHop: route.nextHop }),
      NeedEncap: route.needEncap,
    },
  };
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NatFlags */
export const natFlags = { localRoutedVip: 1, ipv6: 2 };

/**
 * One policy for each family the endpoint has an address of, or for that of the node's address.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#PortMappingPolicySetting
 */
function portMappingPolicies(
  { protocol, hostPort, containerPort, hostIP, family }: PortMappingConfig,
  { portMapping }: NetworkConfig,
  families: readonly Family[],
): readonly Policy[] {
  const only = hostIP === undefined ? family : familyOf(hostIP);
  return (only === undefined ? families : [only]).map((family) => {
    const flags =
      (portMapping.localRoutedVip ? natFlags.localRoutedVip : 0) | (family === 'IPv6' ? natFlags.ipv6 : 0);
    return {
      Type: 'PortMapping',
      Settings: {
        Protocol: protocolNumbers[protocol],
        InternalPort: containerPort,
        ExternalPort: hostPort,
        ...(hostIP !== undefined && { VIP: hostIP }),
        ...(flags !== 0 && { Flags: flags }),
      },
    };
  });
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#QosPolicySetting */
function qosPolicy(egressBytes: number): Policy {
  return { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: egressBytes } };
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#EncapOverheadEndpointPolicySetting */
function encapOverheadPolicy(overhead: number): Policy {
  return { Type: 'EncapOverhead', Settings: { Overhead: overhead } };
}

/** The priority of the rules for what no other rule matches; a configuration's own rules come before. */
const lastPriority = 65500;
/** Among a configuration's rules, as other plugins have it for port mappings. */
const portMappingPriority = 1000;

/** HCN takes lists as one comma-separated string. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#AclPolicySetting */
export function aclPolicy(acl: AclConfig): Policy {
  return {
    Type: 'ACL',
    Settings: {
      ...(acl.protocols && { Protocols: acl.protocols.join(',') }),
      ...(acl.localAddresses && { LocalAddresses: acl.localAddresses.join(',') }),
      ...(acl.remoteAddresses && { RemoteAddresses: acl.remoteAddresses.join(',') }),
      ...(acl.localPorts && { LocalPorts: acl.localPorts.join(',') }),
      ...(acl.remotePorts && { RemotePorts: acl.remotePorts.join(',') }),
      Priority: acl.priority,
      Action: acl.action,
      Direction: acl.direction,
      ...(acl.ruleType !== undefined && { RuleType: acl.ruleType }),
    },
  };
}

/** Lets the traffic of port mappings in. */
export function portMappingAcls(
  mappings: readonly PortMappingConfig[],
  ruleType: AclConfig['ruleType'],
): readonly Policy[] {
  const ports = new Map(mappings.map((mapping) => [`${mapping.protocol} ${mapping.containerPort}`, mapping]));
  return [...ports.values()].map(({ protocol, containerPort }) =>
    aclPolicy({
      action: 'Allow',
      direction: 'In',
      protocols: [protocolNumbers[protocol]],
      localPorts: [String(containerPort)],
      priority: portMappingPriority,
      ruleType,
    }),
  );
}

/** What happens to traffic that no ACL matches, said for both directions: HNS by itself blocks it once there is any ACL. */
export function defaultAcls(action: NetworkConfig['defaultAction']): readonly Policy[] {
  if (action === undefined) return [];
  const directions = ['In', 'Out'] as const;
  return directions.map((direction) =>
    aclPolicy({ action, direction, priority: lastPriority, ruleType: 'Switch' }),
  );
}
