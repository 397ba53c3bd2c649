import type { NetworkConfig, SubnetConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import { gatewayOf, subnetsOf } from './observed-network.ts';

/** What of a network that exists is not as configured: one line each, empty when it can be used. */
export function networkDifferences(config: NetworkConfig, observed: HostComputeNetwork): readonly string[] {
  const type = observed.Type?.toLowerCase() === config.networkType.toLowerCase();
  const typeDifference = type
    ? []
    : [`networkType is ${config.networkType}, the network's is ${observed.Type}`];
  if (config.subnets.length === 0) return typeDifference;
  const configured = new Map(config.subnets.map((subnet) => [subnet.prefix, subnet]));
  const found = new Map(subnetsOf(observed).map((subnet) => [canonical(subnet.IpAddressPrefix), subnet]));
  const missing = [...configured.keys()].filter((prefix) => !found.has(prefix));
  const surplus = [...found.keys()].filter((prefix) => !configured.has(prefix));
  return [
    ...typeDifference,
    ...missing.map(
      (prefix) => `subnet ${prefix} is configured, the network has ${[...found.keys()].join(', ') || 'none'}`,
    ),
    ...surplus.map((prefix) => `subnet ${prefix} of the network is not configured`),
    ...config.subnets.flatMap((subnet) => subnetDifferences(subnet, found.get(subnet.prefix))),
  ];
}

function subnetDifferences(configured: SubnetConfig, observed: Subnet | undefined): readonly string[] {
  if (observed === undefined) return [];
  const gateway = gatewayOf(observed);
  const vsid = observed.Policies?.find((policy) => policy.Type === 'VSID')?.Settings?.['IsolationId'];
  return [
    ...(gateway === undefined || gateway === configured.gateway
      ? []
      : [`gateway of ${configured.prefix} is ${configured.gateway}, the network's is ${gateway}`]),
    ...(configured.vsid === vsid
      ? []
      : [`vsid of ${configured.prefix} is ${configured.vsid ?? 'none'}, the network's is ${vsid ?? 'none'}`]),
  ];
}

function canonical(cidr: string): string {
  const prefix = parsePrefix(cidr);
  return prefix === undefined ? cidr : formatPrefix(networkOf(prefix));
}
