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
import { macFromAddress, macWithColons } from '../net/mac.ts';

/**
 * The document of the endpoint that stands for a backend elsewhere.
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

/** The document that makes a deleted remote endpoint anew. */
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

/** What of a remote endpoint is not as a backend asks for; what the backend does not say is as it may be. */
export function remoteDifferences(backend: BackendConfig, endpoint: HostComputeEndpoint): readonly string[] {
  const { macAddress, providerAddress } = backend;
  const mac = endpoint.MacAddress ?? '';
  const provider = providerAddressOf(endpoint);
  return [
    ...(macAddress === undefined || macWithColons(mac) === macWithColons(macAddress)
      ? []
      : [`its MAC address is ${mac || 'none'}, not ${macAddress}`]),
    ...(providerAddress === undefined || provider === providerAddress
      ? []
      : [`its provider address is ${provider ?? 'none'}, not ${providerAddress}`]),
  ];
}
