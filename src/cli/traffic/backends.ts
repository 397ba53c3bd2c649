import type { ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { type Family, familyOf, parseAddress } from '../../net/address.ts';

/** The existing endpoints behind a load balancer. */
export function findBackends(
  { HostComputeEndpoints }: ObservedLoadBalancer,
  { endpoints }: Inventory,
): readonly ObservedEndpoint[] {
  return endpoints.filter(({ ID }) => HostComputeEndpoints.includes(ID));
}

/** The backends' addresses of a family. */
export function backendAddresses(
  loadBalancer: ObservedLoadBalancer,
  inventory: Inventory,
  family: Family,
): readonly string[] {
  return findBackends(loadBalancer, inventory).flatMap((endpoint) => addressesOf(endpoint, family));
}

/** An endpoint's addresses of a family. */
export function addressesOf({ IpConfigurations = [] }: ObservedEndpoint, family: Family): readonly string[] {
  return IpConfigurations.map(({ IpAddress }) => IpAddress).filter((address) => familyOf(address) === family);
}

/** Whether a load balancer has a canonical address as a frontend. One without frontends has none. */
export function isFrontend({ FrontendVIPs = [] }: ObservedLoadBalancer, address: string): boolean {
  return FrontendVIPs.some((frontend) => parseAddress(frontend) === address);
}
