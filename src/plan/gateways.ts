import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { parsePrefix, secondHost } from '../net/prefix.ts';
import { hostEndpointAddress } from './host-endpoint.ts';
import { subnetsOf } from './observed-network.ts';

/**
 * The gateways that come before the network's own, first come first: the node's own endpoint, the subnets' second addresses, and
 * those the configuration names.
 */
export function preferredGateways(config: NetworkConfig, network: HostComputeNetwork): readonly string[] {
  const { manner } = config;
  const seconds = subnetsOf(network).flatMap(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return (prefix && secondHost(prefix)) ?? [];
  });
  const node = hostEndpointAddress(config, network);
  return [
    ...(node === undefined ? [] : [node]),
    ...(manner.secondHostIsGateway ? seconds : []),
    ...manner.gateways,
  ];
}
