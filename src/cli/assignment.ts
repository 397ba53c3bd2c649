import type { NetworkConfig } from '../config/network-config.ts';
import { type Assignment, requestedAddresses } from '../plan/endpoint-addresses.ts';

/** What an IPAM plugin would assign that gives these addresses, or what HNS is asked for where there is none. */
export function assumedAssignment(
  addresses: readonly string[],
  ipam: string | undefined,
  config: NetworkConfig,
): Assignment {
  if (ipam === undefined)
    return requestedAddresses({ ...config, addresses: addresses.length > 0 ? addresses : config.addresses });
  return addresses.length === 0
    ? undefined
    : { ips: addresses.map((address) => ({ address })), routes: [], dns: {} };
}
