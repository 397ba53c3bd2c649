// What a load balancer's members may be together.

import { parseAddress } from './addresses.ts';
import type { LoadBalancer } from './documents.ts';
import { HnsError } from './hresults.ts';
import { isAtLeast } from './profiles.ts';
import type { State } from './state.ts';

const ipv6 = 2;
const everyLoadBalancerFlag = 3;
const everyPortMappingFlag = 31;
const protocols: readonly number[] = [6, 17];

/** One family, which the flag IPv6 says; that it must is [I]. Without an address the endpoints' families decide. */
export function checkFamily(
  state: State,
  { FrontendVIPs, SourceVIP, HostComputeEndpoints, Flags = 0 }: LoadBalancer,
) {
  const isIPv6 = (Flags & ipv6) !== 0;
  const family = isIPv6 ? 6 : 4;
  const addresses = [...FrontendVIPs, ...(SourceVIP ? [SourceVIP] : [])];
  const endpoints = HostComputeEndpoints.map(
    (id) => state.endpoints.get(id)?.document.IpConfigurations ?? [],
  );
  const reachable = endpoints.every(
    (addresses) =>
      addresses.length === 0 || addresses.some(({ IpAddress }) => parseAddress(IpAddress)?.family === family),
  );
  const known = !isIPv6 || isAtLeast(state.release.version, 11, 10);
  const valid = addresses.every((address) => parseAddress(address)?.family === family);
  if (!valid || !reachable || !known || Flags > everyLoadBalancerFlag)
    throw new HnsError('HCN_E_INVALID_POLICY');
}

/** TCP and UDP have ports; a port is not zero; flags are those of the schema; a frontend is there once [I]. */
export function checkPorts({ PortMappings }: LoadBalancer): void {
  const seen = new Set<string>();
  for (const { Protocol = 0, InternalPort = 0, ExternalPort = 0, Flags = 0 } of PortMappings) {
    const frontend = `${Protocol} ${ExternalPort}`;
    if (InternalPort === 0) throw new HnsError('HCN_E_INVALID_INTERNAL_PORT');
    if (
      ExternalPort === 0 ||
      !protocols.includes(Protocol) ||
      Flags > everyPortMappingFlag ||
      seen.has(frontend)
    )
      throw new HnsError('HCN_E_INVALID_POLICY');
    seen.add(frontend);
  }
}
