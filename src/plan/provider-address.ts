import type { HostComputeNetwork } from '../hcn/documents.ts';
import { contains, parsePrefix } from '../net/prefix.ts';
import { isPolicyOf, providerAddressOf } from './observed-network.ts';

/**
 * The node that packets to an address beyond this one are sent to, on an Overlay network: the one whose subnet the address is in, by
 * the network's RemoteSubnetRoute policies, or else this node itself, which leads to what is in no node's subnet. kube-proxy
 * decides it the same way.
 */
export function providerAddressFor(network: HostComputeNetwork, address: string): string | undefined {
  const routes = network.Policies?.filter((policy) => isPolicyOf('RemoteSubnetRoute', policy)) ?? [];
  const route = routes.find(({ Settings }) => {
    const prefix = parsePrefix(String(Settings?.['DestinationPrefix'] ?? ''));
    return prefix !== undefined && contains(prefix, address);
  });
  const remote = route?.Settings?.['ProviderAddress'];
  return typeof remote === 'string' ? remote : providerAddressOf(network);
}
