import type { NetworkConfig, SubnetConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import { defaultGateway, settingsOf, subnetsOf } from './observed-network.ts';

/** What of a network that exists is not as configured: one line each, empty when it can be used. */
export function networkDifferences(config: NetworkConfig, observed: HostComputeNetwork): readonly string[] {
  return [
    ...difference('networkType', config.networkType, observed.Type),
    ...difference(
      'adapter',
      config.adapter,
      settingsOf(observed.Policies, 'NetAdapterName')?.['NetworkAdapterName'],
    ),
    ...(config.subnets.length === 0 ? [] : subnetListDifferences(config.subnets, subnetsOf(observed))),
  ];
}

function subnetListDifferences(
  configured: readonly SubnetConfig[],
  observed: readonly Subnet[],
): readonly string[] {
  const found = new Map(observed.map((subnet) => [canonical(subnet.IpAddressPrefix), subnet]));
  const surplus = [...found.keys()].filter(
    (prefix) => !configured.some((subnet) => subnet.prefix === prefix),
  );
  return [
    ...configured.flatMap((subnet) => {
      const match = found.get(subnet.prefix);
      if (match !== undefined) return subnetDifferences(subnet, match);
      return [
        `subnet ${subnet.prefix} is configured, the network has ${[...found.keys()].join(', ') || 'none'}`,
      ];
    }),
    ...surplus.map((prefix) => `subnet ${prefix} of the network is not configured`),
  ];
}

function subnetDifferences({ prefix, gateway, vsid }: SubnetConfig, observed: Subnet): readonly string[] {
  const observedVsid = settingsOf(observed.Policies, 'VSID')?.['IsolationId'];
  return [
    ...difference(`gateway of ${prefix}`, gateway, defaultGateway(observed.Routes ?? [])),
    ...(vsid === observedVsid
      ? []
      : [`vsid of ${prefix} is ${vsid ?? 'none'}, the network's is ${observedVsid ?? 'none'}`]),
  ];
}

/** Nothing is compared where the configuration or HCN says nothing. */
function difference(what: string, configured: string | undefined, observed: unknown): readonly string[] {
  if (configured === undefined || observed === undefined) return [];
  const same = String(observed).toLowerCase() === configured.toLowerCase();
  return same ? [] : [`${what} is ${configured}, the network's is ${observed}`];
}

function canonical(cidr: string): string {
  const prefix = parsePrefix(cidr);
  return prefix === undefined ? cidr : formatPrefix(networkOf(prefix));
}
