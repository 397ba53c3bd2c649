import { invalidConfig } from '../cni/error.ts';
import type {
  AclConfig,
  NetworkConfig,
  OutboundNatConfig,
  PortMappingConfig,
  SdnRouteConfig,
} from '../config/network-config.ts';
import { addressesIn, type HostComputeEndpoint, type Policy } from '../hcn/documents.ts';
import { settingsOf } from '../model/network-document.ts';
import { type Family, familyOf } from '../net/address.ts';
import { protocolNumbers } from '../net/protocols.ts';
import { mergeOutboundNat } from './outbound-nat.ts';

/** The values, besides the configuration, that an endpoint's policies depend on. */
export interface PolicyContext {
  /** The node's address on the physical network. Other nodes send packets for an Overlay endpoint to it. */
  readonly providerAddress: string | undefined;
  /** The endpoint's addresses; empty if HNS assigns them later. */
  readonly addresses: readonly string[];
  /** The families of the endpoint's addresses, known or expected. */
  readonly families: readonly Family[];
  /** The subnets of its network. */
  readonly ownSubnets: readonly string[];
  /** In bytes. */
  readonly encapOverhead: number | undefined;
}

/** Returns a configuration's endpoint policies in HCN's form. */
export function endpointPolicies(config: NetworkConfig, context: PolicyContext): readonly Policy[] {
  const { portMappings, outboundNat, egressBytes, behavior } = config;
  const wanted = [
    ...config.acls.map(aclPolicy),
    ...(config.portMapping.allowAcl ? portMappingAcls(portMappings, behavior.portMappingRuleType) : []),
    ...(outboundNat === undefined ? [] : outboundNatPolicies(outboundNat, config.remoteSubnets)),
    ...(behavior.exceptOwnSubnets
      ? [{ Type: 'OutBoundNAT', Settings: { Exceptions: context.ownSubnets } }]
      : []),
    ...(config.loopbackDSR ? loopbackPolicies(context.addresses) : []),
    ...config.sdnRoutes.map(sdnRoutePolicy),
    ...portMappings.flatMap((mapping) => portMappingPolicies(mapping, config, context.families)),
    ...(egressBytes === undefined
      ? []
      : [{ Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: egressBytes } }]),
    ...(context.encapOverhead === undefined
      ? []
      : [{ Type: 'EncapOverhead', Settings: { Overhead: context.encapOverhead } }]),
    ...config.endpointPolicies,
  ];
  const own = [...mergeOutboundNat(wanted, context.families), ...defaultAcls(config.defaultAction)];
  const hasProvider = settingsOf(own, 'ProviderAddress') !== undefined;
  return context.providerAddress === undefined || hasProvider
    ? own
    : [...own, { Type: 'ProviderAddress', Settings: { ProviderAddress: context.providerAddress } }];
}

/**
 * Pods of other nodes see a pod's own address: their subnets are exceptions too.
 * Exceptions and destinations are separate policies, because destinations narrow what their policy translates. `mergeOutboundNat` omits
 * the one without any.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
function outboundNatPolicies(
  nat: OutboundNatConfig,
  remoteSubnets: NetworkConfig['remoteSubnets'],
): readonly Policy[] {
  const exceptions = [...nat.exceptions, ...remoteSubnets.map(({ subnet }) => subnet)];
  const shared = {
    ...(nat.virtualIP !== undefined && { VirtualIP: nat.virtualIP }),
    ...(nat.maxPortPoolUsage !== undefined && { MaxPortPoolUsage: nat.maxPortPoolUsage }),
  };
  return [
    { Type: 'OutBoundNAT', Settings: { ...shared, Exceptions: exceptions } },
    { Type: 'OutBoundNAT', Settings: { ...shared, Destinations: nat.destinations } },
  ];
}

/** Returns the policies that depend on the addresses that HNS assigned. Throws code 7 if they need an IPv4 address and it has none. */
export function policiesAfterAssignment(endpoint: HostComputeEndpoint): readonly Policy[] {
  const policies = loopbackPolicies(addressesIn(endpoint));
  if (policies.length === 0) throw invalidConfig(loopbackNeedsIPv4);
  return policies;
}

/** The message for loopbackDSR without an IPv4 address. */
export const loopbackNeedsIPv4 =
  '/loopbackDSR is true, but the endpoint has no IPv4 address: remove loopbackDSR, or add an IPv4 subnet to the network';

/** Translates traffic from an endpoint to itself: a service with direct server return can select the pod that sent the request. */
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
 * Returns one policy per family of the endpoint, or one for the family of the host address.
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

/** The lowest precedence: a configuration's own rules come first. */
const defaultAclPriority = 65500;
/** Equals the default priority of a configuration's rules; other plugins use it for port mappings too. */
const portMappingPriority = 1000;

/** HCN encodes lists as comma-separated strings. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#AclPolicySetting */
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

/** Returns ACLs that allow the inbound traffic of port mappings. */
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

/** Returns the ACLs for traffic that no other ACL matches, in both directions. Without them, HNS blocks it if any ACL exists. */
export function defaultAcls(action: NetworkConfig['defaultAction']): readonly Policy[] {
  if (action === undefined) return [];
  const directions = ['In', 'Out'] as const;
  return directions.map((direction) =>
    aclPolicy({ action, direction, priority: defaultAclPriority, ruleType: 'Switch' }),
  );
}
