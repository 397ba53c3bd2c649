import type { BackendConfig } from '../config/load-balancer.ts';
import {
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type ObservedEndpoint,
  schemaVersion,
} from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { remoteEndpointId, remoteEndpointName } from '../model/identity.ts';
import { providerAddressOf } from '../model/network-document.ts';
import { remoteEndpointFlag, remoteMacPrefix } from '../model/ownership.ts';
import { formatMac, macFromAddress } from '../net/mac.ts';

/**
 * Returns the document of the endpoint that represents a backend on another node.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint
 */
export function remoteEndpointDocument(
  network: HostComputeNetwork & { readonly ID: Guid },
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
