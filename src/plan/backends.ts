import { invalidConfig } from '../cni/error.ts';
import type { BackendConfig, LoadBalancerConfig } from '../config/load-balancer-config.ts';
import {
  addressesIn,
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type ObservedEndpoint,
  type ObservedNetwork,
  schemaVersion,
} from '../hcn/documents.ts';
import type { EndpointId, NetworkId } from '../hcn/guid.ts';
import { remoteEndpointId, remoteEndpointName } from '../model/identity.ts';
import { isOverlay, isPolicyOf, providerAddressOf } from '../model/network-document.ts';
import { isRemote, remoteEndpointFlag, remoteMacPrefix } from '../model/ownership.ts';
import { formatMac, macFromAddress } from '../net/mac.ts';
import { contains, parsePrefix } from '../net/prefix.ts';

/** A backend's endpoint: present, or to be created. */
export type BackendEndpoint = { readonly id: EndpointId } & (
  | { readonly state: 'present' }
  | { readonly state: 'missing'; readonly document: HostComputeEndpoint }
);

/**
 * Returns the endpoint of each backend: the network's endpoint with the backend's address, or a remote endpoint to create. Older Windows
 * allows a remote endpoint with an address in use; the endpoint on this node then wins. Throws code 7 for a backend that cannot have a
 * remote endpoint.
 */
export function endpointsOfBackends(
  { backends }: LoadBalancerConfig,
  network: ObservedNetwork,
  endpoints: readonly ObservedEndpoint[],
): readonly BackendEndpoint[] {
  return backends.map((backend, index) => {
    const candidates = endpoints.filter(
      (endpoint) =>
        endpoint.HostComputeNetwork === network.ID && addressesIn(endpoint).includes(backend.address),
    );
    const observed = candidates.find((endpoint) => !isRemote(endpoint)) ?? candidates[0];
    const path = `/backends/${index}`;
    return observed === undefined
      ? missingEndpoint(backend, path, network)
      : existingEndpoint(backend, path, observed);
  });
}

function missingEndpoint(backend: BackendConfig, path: string, network: ObservedNetwork): BackendEndpoint {
  const providerAddress =
    backend.providerAddress ??
    (isOverlay(network) ? providerAddressFor(network, backend.address) : undefined);
  if (isOverlay(network) && providerAddress === undefined) {
    const message = `${path}/providerAddress is missing, expected the address of the node that hosts ${backend.address}`;
    const details = `Overlay network "${network.Name}" has no endpoint with this address and no provider address yet`;
    throw invalidConfig(message, details);
  }
  const document = remoteEndpointDocument(network, {
    ...backend,
    ...(providerAddress !== undefined && { providerAddress }),
  });
  return { state: 'missing', id: remoteEndpointId(network.ID, backend.address), document };
}

function existingEndpoint(backend: BackendConfig, path: string, observed: ObservedEndpoint): BackendEndpoint {
  const id = observed.ID;
  const differences = isRemote(observed) ? remoteDifferences(backend, observed) : [];
  if (differences.length === 0) return { state: 'present', id };
  const message = `${path} is ${backend.address}, but its remote endpoint ${id} differs: ${differences.join('; ')}`;
  throw invalidConfig(message, 'change the backend to match the endpoint, or delete the endpoint');
}

/**
 * Returns the address of the node to which an Overlay network sends packets for an address: the node of the last RemoteSubnetRoute
 * policy that contains it, or else this node. kube-proxy uses the same rule.
 */
export function providerAddressFor(network: HostComputeNetwork, address: string): string | undefined {
  const routes = network.Policies?.filter((policy) => isPolicyOf('RemoteSubnetRoute', policy)) ?? [];
  const route = routes.findLast(({ Settings }) => {
    const prefix = parsePrefix(String(Settings?.['DestinationPrefix']));
    return prefix !== undefined && contains(prefix, address);
  });
  const remote = route?.Settings?.['ProviderAddress'];
  return typeof remote === 'string' ? remote : providerAddressOf(network);
}

/**
 * Returns the document of the endpoint that represents a backend on another node.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint
 */
export function remoteEndpointDocument(
  network: HostComputeNetwork & { readonly ID: NetworkId },
  { address, macAddress, providerAddress }: BackendConfig,
): HostComputeEndpoint {
  return {
    ID: remoteEndpointId(network.ID, address),
    Name: remoteEndpointName(address),
    HostComputeNetwork: network.ID,
    ...(providerAddress !== undefined && {
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: providerAddress } }],
    }),
    IpConfigurations: [{ IpAddress: address }],
    MacAddress: macAddress ?? macFromAddress(remoteMacPrefix, address),
    Flags: remoteEndpointFlag,
    SchemaVersion: schemaVersion,
  };
}

/** Returns the document that recreates a deleted remote endpoint. */
export function recreationDocument(endpoint: ObservedEndpoint): HostComputeEndpoint {
  const { ID, Name, HostComputeNetwork, Policies, IpConfigurations, MacAddress, Flags } = endpoint;
  return {
    ID,
    Name,
    HostComputeNetwork,
    ...(Policies !== undefined && Policies.length > 0 && { Policies }),
    ...(IpConfigurations !== undefined && { IpConfigurations }),
    ...(MacAddress !== undefined && { MacAddress }),
    ...(Flags !== undefined && { Flags }),
    SchemaVersion: schemaVersion,
  };
}

/** Returns how a remote endpoint differs from a backend's settings; settings that are absent match. */
export function remoteDifferences(backend: BackendConfig, endpoint: HostComputeEndpoint): readonly string[] {
  const { macAddress, providerAddress } = backend;
  const mac = endpoint.MacAddress ?? '';
  const provider = providerAddressOf(endpoint);
  return [
    ...(macAddress === undefined || formatMac(mac) === formatMac(macAddress)
      ? []
      : [`its MAC address is ${mac || 'none'}, expected ${macAddress}`]),
    ...(providerAddress === undefined || provider === providerAddress
      ? []
      : [`its provider address is ${provider ?? 'none'}, expected ${providerAddress}`]),
  ];
}
