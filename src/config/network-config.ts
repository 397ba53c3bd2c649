import type { Dns, Result } from '../cni/result.ts';
import type { Policy } from '../hcn/documents.ts';
import type { Family } from '../net/address.ts';
import type { Behavior } from './behavior.ts';

export const networkTypes = [
  'L2Bridge',
  'L2Tunnel',
  'Overlay',
  'Transparent',
  'NAT',
  'ICS',
  'Internal',
  'Private',
] as const;

export type NetworkType = (typeof networkTypes)[number];

/** `prefix` is the subnet with host bits cleared. Without a gateway a network that exists decides. */
export interface SubnetConfig {
  readonly prefix: string;
  readonly gateway?: string;
  readonly vsid?: number;
  readonly vlan?: number;
}

/** In HCN's form. */
export interface MacRangeConfig {
  readonly start: string;
  readonly end: string;
}

/** Absent members match anything. Protocols are IANA numbers. */
export interface AclConfig {
  readonly action: 'Allow' | 'Block';
  readonly direction: 'In' | 'Out';
  readonly protocols?: readonly number[];
  readonly localAddresses?: readonly string[];
  readonly remoteAddresses?: readonly string[];
  readonly localPorts?: readonly string[];
  readonly remotePorts?: readonly string[];
  readonly priority: number;
  readonly ruleType: 'Switch' | 'Host' | undefined;
}

export interface OutboundNatConfig {
  readonly exceptions: readonly string[];
  readonly destinations: readonly string[];
  readonly virtualIP?: string;
  readonly maxPortPoolUsage?: number;
}

export interface SdnRouteConfig {
  readonly destinationPrefix: string;
  readonly nextHop?: string;
  readonly needEncap: boolean;
}

/** A port of the node that leads to a port of the endpoint; on every address of the node without `hostIP`. */
export interface PortMappingConfig {
  readonly protocol: 'tcp' | 'udp';
  readonly hostPort: number;
  readonly containerPort: number;
  readonly hostIP?: string;
  /** On every address of the node of this family. */
  readonly family?: Family;
}

/** How port mappings are made. `localRoutedVip` lets the node itself reach its ports, `allowAcl` lets their traffic past the ACLs. */
export interface PortMappingOptions {
  readonly localRoutedVip: boolean;
  readonly allowAcl: boolean;
}

/** The node's own endpoint on the network. Without an address it has the second one of the first IPv4 subnet. */
export interface HostEndpointConfig {
  readonly address: string | undefined;
}

/** What the runtime asks for one attachment, by capability, `args.cni` or CNI_ARGS. */
export interface AttachmentConfig {
  readonly portMappings: readonly PortMappingConfig[];
  /** The most an endpoint may send, in bytes a second. */
  readonly egressBytes: number | undefined;
  /** In HCN's form. */
  readonly macAddress: string | undefined;
  /** Addresses to have, with a prefix length or without, which HNS is asked for where there is no IPAM plugin. */
  readonly addresses: readonly string[];
}

/** The keys about the network. */
export interface NetworkKeys {
  readonly networkType: NetworkType;
  readonly createNetwork: 'ifMissing' | 'never';
  /** By name, index, MAC address, address or prefix. */
  readonly adapter: string | undefined;
  readonly subnets: readonly SubnetConfig[];
  /** As HCN names them. */
  readonly networkFlags: readonly string[];
  readonly macPool: readonly MacRangeConfig[];
  readonly hostEndpoint: HostEndpointConfig | undefined;
  readonly networkPolicies: readonly Policy[];
}

/** The keys about each endpoint. */
export interface EndpointKeys {
  readonly dns: Dns;
  readonly mtu: number | undefined;
  readonly macPrefix: string | undefined;
  readonly acls: readonly AclConfig[];
  readonly defaultAction: 'Allow' | 'Block' | undefined;
  readonly outboundNat: OutboundNatConfig | undefined;
  readonly loopbackDSR: boolean;
  readonly portMapping: PortMappingOptions;
  readonly sdnRoutes: readonly SdnRouteConfig[];
  readonly endpointPolicies: readonly Policy[];
}

/** A network configuration, translated, validated and in canonical text. */
export interface NetworkConfig extends NetworkKeys, EndpointKeys, AttachmentConfig {
  readonly name: string;
  readonly prevResult: Result | undefined;
  readonly behavior: Behavior;
}
