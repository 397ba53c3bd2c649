import { CniError, code } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { type HostComputeEndpoint, type HostComputeNetwork, schemaVersion } from '../hcn/documents.ts';
import { hostEndpointId, hostEndpointName } from '../model/identity.ts';
import { boundAdapter, boundHostAdapter, defaultGateway, subnetsOf } from '../model/network-document.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { contains, formatPrefix, isHostIn, parsePrefix, secondHost } from '../net/prefix.ts';

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
    ID: hostEndpointId(network.Name),
    Name: hostEndpointName(network.Name),
    HostComputeNetwork: network.ID,
    IpConfigurations: [{ IpAddress: address, ...(subnet !== undefined && { PrefixLength: subnet.length }) }],
    SchemaVersion: schemaVersion,
  };
}

/**
 * Throws code 7 where the host endpoint a configuration asks for cannot be: without an IPv4 subnet, with an address HNS reserves, or
 * with one the node has elsewhere. What is there already is nothing wrong.
 */
export function checkHostEndpoint(
  config: NetworkConfig,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): void {
  if (config.hostEndpoint === undefined) return;
  const address = hostEndpointAddress(config, network);
  const reason = obstacle(network, address, adapters);
  if (reason === undefined) return;
  throw new CniError(code.invalidConfig, `/hostEndpoint asks for ${address ?? 'an IPv4 address'}, ${reason}`);
}

function obstacle(
  network: HostComputeNetwork,
  address: string | undefined,
  adapters: readonly HostAdapter[],
): string | undefined {
  if (address === undefined) return `and network "${network.Name}" has no IPv4 subnet`;
  const prefixes = ipv4Prefixes(network);
  if (!prefixes.some((prefix) => isHostIn(prefix, address))) {
    return `which no endpoint in ${prefixes.map(formatPrefix).join(', ')} can have`;
  }
  const gateways = subnetsOf(network).map(({ Routes = [] }) => defaultGateway(Routes));
  if (gateways.includes(address)) return 'which is the gateway of the network and reserved by HNS';
  const other = adapters.find((adapter) => has(adapter, address) && !isOf(network.Name, adapter));
  return other && `which adapter "${other.alias}" of the node has already`;
}

/**
 * The node's interfaces that pod traffic is forwarded between: that of the host endpoint, and those of the network's adapter with an
 * IPv4 address; undefined while one of them is not there.
 */
export function forwardingInterfaces(
  network: HostComputeNetwork,
  address: string,
  adapters: readonly HostAdapter[],
): { readonly host: HostAdapter; readonly management: readonly HostAdapter[] } | undefined {
  const host = adapters.find((adapter) => has(adapter, address) && isOf(network.Name, adapter));
  const management = adapters.filter(
    (adapter) =>
      adapter !== host &&
      adapter.addresses.some((own) => familyOf(own.address) === 'IPv4') &&
      isUplink(adapter, network, adapters),
  );
  return host === undefined || management.length === 0 ? undefined : { host, management };
}

/** Whether an adapter has what the network's adapter had; where HNS names none, it is the one with the default route. */
export function isUplink(
  { alias, mac, gateways }: HostAdapter,
  network: HostComputeNetwork,
  adapters: readonly HostAdapter[],
): boolean {
  const bound = boundAdapter(network);
  if (bound === undefined) return gateways.some((gateway) => familyOf(gateway) === 'IPv4');
  const underneath = boundHostAdapter(network, adapters)?.mac;
  const isAbove = alias.toLowerCase() === `vethernet (${bound})`.toLowerCase();
  return isAbove || (mac !== undefined && mac === underneath);
}

function has(adapter: HostAdapter, address: string): boolean {
  return adapter.addresses.some((own) => own.address === address);
}

/** Whether an adapter is the interface of the network's host endpoint; Windows puts a number behind a name that is taken. */
function isOf(network: string, { alias }: HostAdapter): boolean {
  const name = `vethernet (${hostEndpointName(network)})`.toLowerCase();
  return alias.toLowerCase() === name || alias.toLowerCase().startsWith(`${name} `);
}

function ipv4Prefixes(network: HostComputeNetwork) {
  return subnetsOf(network).flatMap(({ IpAddressPrefix }) => {
    const prefix = parsePrefix(IpAddressPrefix);
    return prefix !== undefined && familyOf(prefix.address) === 'IPv4' ? [prefix] : [];
  });
}
