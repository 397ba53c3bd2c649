import type {
  AclConfig,
  NetworkConfig,
  OutboundNatConfig,
  PortMappingConfig,
  SdnRouteConfig,
} from '../config/network-config.ts';
import type { Policy } from '../hcn/documents.ts';
import { settingsOf } from './observed-network.ts';
import { mergeOutboundNat } from './outbound-nat.ts';

/**
 * The endpoint policies of a configuration, in HCN's form. `providerAddress` is the node's address on the physical
 * network, which an Overlay endpoint carries so that other nodes know where to send its packets.
 */
export function endpointPolicies(
  config: NetworkConfig,
  providerAddress: string | undefined,
): readonly Policy[] {
  const own = mergeOutboundNat([
    ...config.acls.map(aclPolicy),
    ...(config.outboundNat === undefined ? [] : outboundNatPolicies(config.outboundNat)),
    ...config.sdnRoutes.map(sdnRoutePolicy),
    ...config.portMappings.map(portMappingPolicy),
    ...(config.egressBytes === undefined ? [] : [qosPolicy(config.egressBytes)]),
    ...config.endpointPolicies,
  ]);
  const provided = settingsOf(own, 'ProviderAddress') !== undefined;
  return providerAddress === undefined || provided
    ? own
    : [...own, { Type: 'ProviderAddress', Settings: { ProviderAddress: providerAddress } }];
}

/** HCN takes lists as one comma-separated string. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#AclPolicySetting */
function aclPolicy(acl: AclConfig): Policy {
  return {
    Type: 'ACL',
    Settings: {
      ...(acl.protocols && { Protocols: acl.protocols.join(',') }),
      ...(acl.localAddresses && { LocalAddresses: acl.localAddresses.join(',') }),
      ...(acl.remoteAddresses && { RemoteAddresses: acl.remoteAddresses.join(',') }),
      ...(acl.localPorts && { LocalPorts: acl.localPorts.join(',') }),
      ...(acl.remotePorts && { RemotePorts: acl.remotePorts.join(',') }),
      ...(acl.priority !== undefined && { Priority: acl.priority }),
      Action: acl.action,
      Direction: acl.direction,
      RuleType: acl.ruleType,
    },
  };
}

/**
 * Exceptions and destinations stay two policies: destinations narrow what their policy translates.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#OutboundNatPolicySetting
 */
function outboundNatPolicies(nat: OutboundNatConfig): readonly Policy[] {
  const address = nat.virtualIP === undefined ? {} : { VirtualIP: nat.virtualIP };
  const general = { ...address, ...(nat.exceptions.length > 0 && { Exceptions: nat.exceptions }) };
  const narrowed = { ...address, Destinations: nat.destinations };
  return [
    { Type: 'OutBoundNAT', Settings: general },
    ...(nat.destinations.length > 0 ? [{ Type: 'OutBoundNAT', Settings: narrowed }] : []),
  ];
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

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#PortMappingPolicySetting */
function portMappingPolicy({ protocol, hostPort, containerPort, hostIP }: PortMappingConfig): Policy {
  return {
    Type: 'PortMapping',
    Settings: {
      Protocol: protocol === 'tcp' ? 6 : 17,
      InternalPort: containerPort,
      ExternalPort: hostPort,
      ...(hostIP !== undefined && { VIP: hostIP }),
    },
  };
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#QosPolicySetting */
function qosPolicy(egressBytes: number): Policy {
  return { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: egressBytes } };
}
