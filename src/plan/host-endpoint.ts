import { invalidConfig } from '../cni/error.ts';
import type { NetworkKeys } from '../config/network-config.ts';
import { type HostComputeEndpoint, type HostComputeNetwork, schemaVersion } from '../hcn/documents.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { hostEndpointId, hostEndpointName, sourceVipId, sourceVipName } from '../model/identity.ts';
import {
  boundAdapter,
  boundHostAdapter,
  defaultGateway,
  prefixesOf,
  providerAddressOf,
  subnetsOf,
} from '../model/network-document.ts';
import { isUsableAddress } from '../model/readiness.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { formatMac, parseUnicastMac } from '../net/mac.ts';
import { contains, everyAddress, formatPrefix, isHostIn, type Prefix, secondHost } from '../net/prefix.ts';

/** A network with its id. */
type Identified = HostComputeNetwork & { readonly ID: NetworkId };

/**
 * Returns the address of the node's own endpoint on a network, which is the pods' gateway; undefined if the configuration has no
 * hostEndpoint or the network has no IPv4 subnet.
 */
export function hostEndpointAddress(
  { hostEndpoint }: Pick<NetworkKeys, 'hostEndpoint'>,
  network: HostComputeNetwork,
): string | undefined {
  if (hostEndpoint === undefined) return undefined;
  const [subnet] = ipv4Prefixes(network);
  return hostEndpoint.address ?? (subnet && secondHost(subnet));
}

/**
 * Returns the document of the node's own endpoint. The node already has a gateway: the next hop 0.0.0.0 keeps HNS from adding a default
 * route (Azure/azure-container-networking#4213). The plugin removes one that HNS adds nevertheless.
 */
export function hostEndpointDocument(network: Identified, address: string): HostComputeEndpoint {
  const subnet = ipv4Prefixes(network).find((prefix) => contains(prefix, address));
  return {
    ID: hostEndpointId(network.Name),
    Name: hostEndpointName(network.Name),
    HostComputeNetwork: network.ID,
    IpConfigurations: [{ IpAddress: address, ...(subnet !== undefined && { PrefixLength: subnet.length }) }],
    Routes: [{ NextHop: '0.0.0.0', DestinationPrefix: everyAddress('IPv4') }],
    SchemaVersion: schemaVersion,
  };
}

/**
 * Throws code 7 if the configured host endpoint cannot exist: the network has no IPv4 subnet, HNS reserves the address, or one of the
 * given adapters has it. While the host endpoint exists, the address is on its interface: pass no adapters.
 */
export function checkHostEndpoint(
  config: Pick<NetworkKeys, 'hostEndpoint'>,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): void {
  if (config.hostEndpoint === undefined) return;
  const problem = addressProblem(network, hostEndpointAddress(config, network), adapters);
  if (problem !== undefined) throw invalidConfig(`/hostEndpoint: ${problem}`);
}

function addressProblem(
  network: HostComputeNetwork,
  address: string | undefined,
  adapters: readonly HostAdapter[],
): string | undefined {
  if (address === undefined) return `network "${network.Name}" has no IPv4 subnet`;
  const prefixes = ipv4Prefixes(network);
  if (!prefixes.some((prefix) => isHostIn(prefix, address))) {
    return `${address} is not a usable address in ${prefixes.map(formatPrefix).join(', ')}`;
  }
  const gateways = subnetsOf(network).map(({ Routes = [] }) => defaultGateway(Routes));
  if (gateways.includes(address)) return `${address} is the network's gateway, which HNS reserves`;
  const other = adapters.find(
    (adapter) => has(adapter, address) && !isHostInterfaceAlias(adapter.alias, network.Name),
  );
  return other && `${address} is already assigned to the node's adapter "${other.alias}"`;
}

/** The addresses of the host endpoint. HNS may return no MAC address. */
export interface HostAddresses {
  readonly address: string;
  readonly mac?: string | undefined;
}

/**
 * Returns the interface of an existing host endpoint: the one with its IP and MAC address. The alias is not documented; V1 uses
 * `vEthernet (<network>_ep)`. It decides if no interface has both addresses. Without one of the MAC addresses, the IP address decides.
 */
export function findHostInterface(
  network: HostComputeNetwork,
  { address, mac }: HostAddresses,
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  const own = parseUnicastMac(mac ?? '');
  const candidates = adapters.filter((adapter) => has(adapter, address));
  return (
    candidates.find((adapter) => own !== undefined && adapter.mac === own) ??
    candidates.find(({ alias }) => isHostInterfaceAlias(alias, network.Name)) ??
    candidates.find((adapter) => own === undefined || adapter.mac === undefined)
  );
}

/**
 * Returns the node's interfaces between which pod traffic is forwarded: the host endpoint's, and those of the network's adapter with an
 * IPv4 address; undefined until both exist.
 */
export function forwardingInterfaces(
  network: HostComputeNetwork,
  own: HostAddresses,
  adapters: readonly HostAdapter[],
): { readonly host: HostAdapter; readonly management: readonly HostAdapter[] } | undefined {
  const host = findHostInterface(network, own, adapters);
  const management = adapters.filter(
    (adapter) =>
      adapter !== host &&
      adapter.addresses.some((own) => familyOf(own.address) === 'IPv4') &&
      isUplink(adapter, network, adapters),
  );
  return host === undefined || management.length === 0 ? undefined : { host, management };
}

/** Whether an adapter carries the addresses of the network's adapter. If HNS names no adapter, the one with the default route does, but not flannel's host endpoint. */
export function isUplink(
  { alias, mac, gateways }: HostAdapter,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): boolean {
  const bound = boundAdapter(network);
  if (bound === undefined)
    return (
      !isHostInterfaceAlias(alias, network.Name) && gateways.some((gateway) => familyOf(gateway) === 'IPv4')
    );
  const physicalMac = boundHostAdapter(network, adapters)?.mac;
  const isNamedAfterIt = alias.toLowerCase() === `vethernet (${bound})`.toLowerCase();
  return isNamedAfterIt || (mac !== undefined && mac === physicalMac);
}

/** The interface that carries the node's addresses of a network's adapter; undefined until it has a usable one. */
export function findUplink(
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  return adapters.find(
    (adapter) =>
      adapter.addresses.some(({ address }) => isUsableAddress(address)) &&
      isUplink(adapter, network, adapters),
  );
}

function has(adapter: HostAdapter, address: string): boolean {
  return adapter.addresses.some((own) => own.address === address);
}

/** Whether this is V1's alias of the interface of a network's host endpoint; Windows appends a number to a name that is taken. */
export function isHostInterfaceAlias(alias: string, network: string): boolean {
  const name = `vethernet (${hostEndpointName(network)})`.toLowerCase();
  return alias.toLowerCase() === name || alias.toLowerCase().startsWith(`${name} `);
}

function ipv4Prefixes(network: HostComputeNetwork): readonly Prefix[] {
  return prefixesOf(network).filter(({ address }) => familyOf(address) === 'IPv4');
}

/**
 * Returns the document of a network's source VIP. Except for ID and name it is the one that kube-proxy creates itself if no endpoint of
 * the network has the address of --source-vip (kubernetes/kubernetes pkg/proxy/winkernel, newSourceVIP and createEndpoint): attached to
 * no namespace, and with the node's MAC address. Without an address HNS assigns one.
 */
export function sourceVipDocument(
  network: Identified,
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
export function nodeMac(network: Identified, adapters: readonly HostAdapter[]): string | undefined {
  const provider = providerAddressOf(network);
  return adapters.find(({ addresses }) => addresses.some(({ address }) => address === provider))?.mac;
}
