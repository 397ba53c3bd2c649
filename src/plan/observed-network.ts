import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { parsePrefix } from '../net/prefix.ts';

/** The subnets of a network HCN has. */
export function subnetsOf(network: HostComputeNetwork): readonly Subnet[] {
  return network.Ipams?.flatMap((ipam) => ipam.Subnets ?? []) ?? [];
}

/** The next hop of the default route among routes of one family. */
export function gatewayOf(subnet: Subnet): string | undefined {
  return subnet.Routes?.find((route) => isDefault(route.DestinationPrefix))?.NextHop;
}

export function isDefault(destinationPrefix: string): boolean {
  return parsePrefix(destinationPrefix)?.length === 0;
}

/** The node's address on the physical network, from the policy of an Overlay network or endpoint. */
export function providerAddressOf(owner: Pick<HostComputeNetwork, 'Policies'>): string | undefined {
  const settings = owner.Policies?.find((policy) => policy.Type === 'ProviderAddress')?.Settings;
  const address = settings?.['ProviderAddress'];
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/**
 * Whether HNS has finished a network: an Overlay's ProviderAddress and DrMacAddress appear seconds after its creation,
 * and while the adapter waits for DHCP the address is a link-local one that no other node can reach.
 */
export function isReady(network: HostComputeNetwork): boolean {
  if (network.Type?.toLowerCase() !== 'overlay') return true;
  const address = providerAddressOf(network);
  const hasDrMac = network.Policies?.some((policy) => policy.Type === 'DrMacAddress') ?? false;
  return hasDrMac && address !== undefined && !address.startsWith('169.254.');
}
