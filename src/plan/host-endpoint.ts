import type { NetworkConfig } from '../config/network-config.ts';
import {
  type HostComputeEndpoint,
  type HostComputeNamespace,
  type HostComputeNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { contains, parsePrefix, secondHost } from '../net/prefix.ts';
import { boundHostAdapter, subnetsOf } from './observed-network.ts';

/**
 * The address of the node's own endpoint on a network, which is the pods' gateway; undefined where the configuration wants none
 * or the network has no IPv4 subnet.
 */
export function hostEndpointAddress(
  { hostEndpoint }: NetworkConfig,
  network: HostComputeNetwork,
): string | undefined {
  if (hostEndpoint === undefined) return undefined;
  const [subnet] = ipv4Prefixes(network);
  return hostEndpoint.address ?? (subnet && secondHost(subnet));
}

/**
 * The document of the node's own endpoint. It names no routes, and what default route HNS gives it is removed once it is there:
 * the node has a gateway already.
 */
export function hostEndpointDocument(
  network: HostComputeNetwork & { readonly ID: string },
  address: string,
): HostComputeEndpoint {
  const subnet = ipv4Prefixes(network).find((prefix) => contains(prefix, address));
  return {
    Name: hostEndpointName(network.Name),
    HostComputeNetwork: network.ID,
    IpConfigurations: [{ IpAddress: address, ...(subnet !== undefined && { PrefixLength: subnet.length }) }],
    SchemaVersion: schemaVersion,
  };
}

/** As flannel and Calico call it. */
export function hostEndpointName(network: string): string {
  return `${network}_ep`;
}

/** The namespace of the node itself: it is in compartment 1, where other namespaces of its type may exist. */
export function hostNamespaceOf(
  namespaces: readonly HostComputeNamespace[],
): HostComputeNamespace | undefined {
  return namespaces.find(
    ({ Type, NamespaceId }) => Type?.toLowerCase() === 'hostdefault' && NamespaceId === 1,
  );
}

/** The node's interfaces that pod traffic is forwarded between: that of the host endpoint, and that of the network's adapter. */
export function forwardingInterfaces(
  network: HostComputeNetwork,
  address: string,
  adapters: readonly HostAdapter[],
): { readonly host: HostAdapter | undefined; readonly management: readonly HostAdapter[] } {
  const has = (adapter: HostAdapter) => adapter.addresses.some((own) => own.address === address);
  const mac = boundHostAdapter(network, adapters)?.mac;
  return {
    host: adapters.find(has),
    management: adapters.filter(
      (adapter) => mac !== undefined && adapter.mac === mac && adapter.addresses.length > 0 && !has(adapter),
    ),
  };
}

function ipv4Prefixes(network: HostComputeNetwork) {
  return subnetsOf(network).flatMap(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return prefix !== undefined && familyOf(prefix.address) === 'IPv4' ? [prefix] : [];
  });
}
