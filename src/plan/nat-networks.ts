import type { HostComputeNetwork } from '../hcn/documents.ts';

/** What HNS may do when pods of several NAT networks publish ports. */
export const natNetworksFault =
  'HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486)';

/** Warns about several NAT networks on a node; undefined if it has at most one. Windows Server 2019 refuses a second one. */
export function describeNatNetworks(networks: readonly HostComputeNetwork[]): string | undefined {
  const names = networks
    .filter(({ Type }) => Type?.toLowerCase() === 'nat')
    .map(({ Name }) => JSON.stringify(Name));
  if (names.length < 2) return undefined;
  return `${names.join(' and ')} are NAT networks: with more than one, ${natNetworksFault}; use one NAT network for all pods with host ports`;
}
