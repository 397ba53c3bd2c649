import type { AclConfig, NetworkConfig, PortMappingConfig } from '../config/network-config.ts';
import type { Policy } from '../hcn/documents.ts';
import { protocolNumbers } from '../net/protocols.ts';

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
