import { type HostComputeEndpoint, schemaVersion } from '../hcn/documents.ts';
import { sourceVipId, sourceVipName } from '../model/identity.ts';
import { providerAddressOf } from '../model/network-document.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { formatMac } from '../net/mac.ts';
import type { IdentifiedNetwork } from './network.ts';

/**
 * Returns the document of a network's source VIP. Except for ID and name it is the one that kube-proxy creates itself if no endpoint of
 * the network has the address of --source-vip (kubernetes/kubernetes pkg/proxy/winkernel, newSourceVIP and createEndpoint): attached to
 * no namespace, and with the node's MAC address. Without an address HNS assigns one.
 */
export function sourceVipDocument(
  network: IdentifiedNetwork,
  address: string | undefined,
  mac: string | undefined,
): HostComputeEndpoint {
  return {
    ID: sourceVipId(network.Name),
    Name: sourceVipName(network.Name),
    HostComputeNetwork: network.ID,
    ...(address !== undefined && { IpConfigurations: [{ IpAddress: address }] }),
    ...(mac !== undefined && { MacAddress: formatMac(mac) }),
    SchemaVersion: schemaVersion,
  };
}

/** The MAC address of the node on an Overlay network: that of the interface with the provider address; undefined if there is none. */
export function nodeMac(network: IdentifiedNetwork, adapters: readonly HostAdapter[]): string | undefined {
  const provider = providerAddressOf(network);
  return adapters.find(({ addresses }) => addresses.some(({ address }) => address === provider))?.mac;
}
