import type { HostComputeNetwork, Policy, Route, Subnet } from '../hcn/documents.ts';
import { type Family, familyOf } from '../net/address.ts';
import { parsePrefix } from '../net/prefix.ts';

/** The subnets of a network HCN has. */
export function subnetsOf(network: HostComputeNetwork): readonly Subnet[] {
  return network.Ipams?.flatMap((ipam) => ipam.Subnets ?? []) ?? [];
}

/** The next hop of the default route, of the given family or of any. */
export function defaultGateway(routes: readonly Route[], family?: Family): string | undefined {
  return routes.find(
    ({ DestinationPrefix, NextHop }) =>
      isDefaultRoute(DestinationPrefix) && (family === undefined || familyOf(NextHop) === family),
  )?.NextHop;
}

export function isDefaultRoute(destinationPrefix: string): boolean {
  return parsePrefix(destinationPrefix)?.length === 0;
}

/** The settings of the first policy of a type; HNS may write the type in another case. */
export function settingsOf(policies: readonly Policy[] | undefined, type: string): Policy['Settings'] {
  return policies?.find((policy) => policy.Type.toLowerCase() === type.toLowerCase())?.Settings;
}

/** The node's address on the physical network, from the policy of an Overlay network or endpoint. */
export function providerAddressOf(owner: Pick<HostComputeNetwork, 'Policies'>): string | undefined {
  const address = settingsOf(owner.Policies, 'ProviderAddress')?.['ProviderAddress'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/**
 * Whether HNS has finished a network: an Overlay's ProviderAddress and DrMacAddress appear seconds after its creation,
 * and while the adapter waits for DHCP the address is a link-local one that no other node can reach.
 */
export function isReady(network: HostComputeNetwork): boolean {
  if (network.Type?.toLowerCase() !== 'overlay') return true;
  const address = providerAddressOf(network);
  const hasDrMac = settingsOf(network.Policies, 'DrMacAddress') !== undefined;
  return hasDrMac && address !== undefined && !address.startsWith('169.254.');
}
