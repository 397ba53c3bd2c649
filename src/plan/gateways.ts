import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import { firstHost, type Prefix, secondHost } from '../net/prefix.ts';
import { hostEndpointAddress } from './host-endpoint.ts';

/** What an IPAM plugin says of an address. */
interface Assigned {
  readonly prefix: Prefix;
  readonly gateway: string | undefined;
}

/**
 * The gateways that come before the network's own, first come first: the node's own endpoint, the second address of the prefix an
 * address was assigned with, those the configuration names, and the IPAM plugin's.
 */
export function preferredGateways(
  config: NetworkConfig,
  network: HostComputeNetwork,
  assigned?: Assigned,
): readonly string[] {
  const { secondHostIsGateway, gateways } = config.behavior;
  const node = hostEndpointAddress(config, network);
  const second = assigned && secondHost(assigned.prefix);
  const isSecondWanted = second !== undefined && secondHostIsGateway.includes(familyOf(second));
  return [
    ...(node === undefined ? [] : [node]),
    ...(isSecondWanted ? [second] : []),
    ...gateways,
    ...gatewaysOfIpam(config, assigned),
  ];
}

/** An IPAM plugin that knows no gateway names the first address. */
function gatewaysOfIpam({ behavior }: NetworkConfig, assigned: Assigned | undefined): readonly string[] {
  const isKnown = assigned?.gateway !== undefined && assigned.gateway !== firstHost(assigned.prefix);
  if (!isKnown) return behavior.additionalGateways;
  return behavior.ipamGateway === 'before the network' ? [assigned.gateway] : [];
}
