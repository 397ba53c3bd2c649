import type { HcnClient } from '../../hcn/client.ts';
import type {
  HostComputeNamespace,
  ObservedEndpoint,
  ObservedLoadBalancer,
  ObservedNetwork,
} from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import type { Kind } from '../../hcn/library.ts';

/** All that HCN has, as it answered. */
export interface Inventory {
  readonly networks: readonly ObservedNetwork[];
  readonly endpoints: readonly ObservedEndpoint[];
  readonly namespaces: readonly HostComputeNamespace[];
  readonly loadBalancers: readonly ObservedLoadBalancer[];
  /** What is there, and in none of the lists. */
  readonly unreadable?: readonly Unreadable[];
}

/** An object that HCN lists and would not, or could not, show. */
export interface Unreadable {
  readonly kind: Kind;
  readonly id: Guid;
  readonly error: Error;
}

/** Takes stock. A namespace or a load balancer that comes meanwhile is there for every endpoint that says it is in it. */
export async function takeInventory(hcn: HcnClient): Promise<Inventory> {
  const networks = await hcn.findNetworks();
  const endpoints = await hcn.findEndpoints();
  const namespaces = await hcn.findNamespaces();
  return { networks, endpoints, namespaces, loadBalancers: await hcn.findLoadBalancers() };
}
