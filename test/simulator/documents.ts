// The documents that the service stores: validated by schema/, in Microsoft's spelling.

import type { JsonObject } from './schema/validate.ts';

export interface Policy {
  readonly Type: string;
  readonly Settings?: JsonObject;
}

export interface Route {
  readonly NextHop: string;
  readonly DestinationPrefix: string;
  readonly Metric?: number;
}

interface IpSubnet {
  readonly ID: string;
  readonly IpAddressPrefix: string;
  readonly Flags?: number;
}

export interface Subnet {
  readonly ID: string;
  readonly Name?: string;
  readonly IpAddressPrefix: string;
  readonly Policies?: readonly Policy[];
  readonly Routes?: readonly Route[];
  readonly IpSubnets: readonly IpSubnet[];
  readonly Flags?: number;
}

export interface Ipam {
  readonly Type: 'Static' | 'Dhcp';
  readonly Subnets: readonly Subnet[];
}

export interface Dns {
  readonly Domain?: string;
  readonly Search?: readonly string[];
  readonly ServerList?: readonly string[];
  readonly Options?: readonly string[];
}

export interface MacRange {
  readonly StartMacAddress: string;
  readonly EndMacAddress: string;
}

export interface IpConfig {
  readonly IpAddress: string;
  readonly PrefixLength?: number;
}

export type NetworkMode =
  | 'NAT'
  | 'ICS'
  | 'Transparent'
  | 'L2Bridge'
  | 'L2Tunnel'
  | 'Overlay'
  | 'Private'
  | 'Internal'
  | 'Mirrored'
  | 'Infiniband'
  | 'ConstrainedICS';

export interface Network {
  readonly Name: string;
  readonly Type: NetworkMode;
  readonly Flags: number;
  readonly Policies: readonly Policy[];
  readonly MacRanges: readonly MacRange[];
  readonly Dns: Dns;
  readonly Ipams: readonly Ipam[];
}

export interface Endpoint {
  readonly Name: string;
  readonly Policies: readonly Policy[];
  readonly IpConfigurations: readonly IpConfig[];
  readonly Dns: Dns;
  readonly Routes: readonly Route[];
  readonly MacAddress: string;
  readonly Flags: number;
}

/** Returns whether the endpoint is on another host: EndpointFlags.RemoteEndpoint. */
export function isRemote({ Flags }: Pick<Endpoint, 'Flags'>): boolean {
  return (Flags & 1) !== 0;
}

export type NamespaceType = 'Host' | 'HostDefault' | 'Guest' | 'GuestDefault';

export interface PortMapping {
  readonly Protocol?: number;
  readonly InternalPort?: number;
  readonly ExternalPort?: number;
  readonly DistributionType?: number;
  readonly Flags?: number;
}

export interface LoadBalancer {
  readonly HostComputeEndpoints: readonly string[];
  readonly SourceVIP?: string;
  readonly FrontendVIPs: readonly string[];
  readonly PortMappings: readonly PortMapping[];
  readonly Flags?: number;
}
