import type { ObservedEndpoint, ObservedLoadBalancer } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { type Family, familyOf, parseAddress } from '../../net/address.ts';

/** The endpoints behind a load balancer that are still there. */
export function backendsOf(
  { HostComputeEndpoints }: ObservedLoadBalancer,
  { endpoints }: Inventory,
): readonly ObservedEndpoint[] {
  return endpoints.filter(({ ID }) => HostComputeEndpoints.includes(ID));
}

/** Their addresses of a family. */
export function backendAddresses(
  loadBalancer: ObservedLoadBalancer,
  inventory: Inventory,
  family: Family,
): readonly string[] {
  return backendsOf(loadBalancer, inventory)
    .flatMap(({ IpConfigurations = [] }) => IpConfigurations.map(({ IpAddress }) => IpAddress))
    .filter((address) => familyOf(address) === family);
}

/** Whether a canonical address is one that a load balancer listens on; of one without frontends that is not known here. */
export function isFrontend({ FrontendVIPs = [] }: ObservedLoadBalancer, address: string): boolean {
  return FrontendVIPs.some((frontend) => parseAddress(frontend) === address);
}
