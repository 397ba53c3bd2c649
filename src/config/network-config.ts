import type { Dns, Result } from '../cni/result.ts';
import type { Policy } from '../hcn/documents.ts';
import type { Family } from '../net/address.ts';
import type { Behavior } from './behavior.ts';

/** HCN's network types. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NetworkType */
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

/** One of HCN's network types. */
export type NetworkType = (typeof networkTypes)[number];

/** `prefix` has no host bits. Without a gateway, an existing network's gateway is used. */
export interface SubnetConfig {
  readonly prefix: string;
  readonly gateway?: string;
  readonly vsid?: number;
  readonly vlan?: number;
}

/** Another node's pod subnet, which an Overlay network reaches by encapsulation. `vsid` defaults to that of the network's own subnet. */
export interface OverlayRemoteSubnet {
  /** Without host bits. */
  readonly subnet: string;
  readonly providerAddress: string;
  /** The other node's distributed router or VXLAN device, in HCN's format. */
  readonly macAddress: string;
  readonly vsid?: number;
}

/** Another node's pod subnet, which the node of an L2Bridge network reaches by a route. */
export interface RoutedRemoteSubnet {
  /** Without host bits. */
  readonly subnet: string;
  readonly nextHop: string;
}

/** Another node's pod subnet, in the form of the network's type. */
export type RemoteSubnet = OverlayRemoteSubnet | RoutedRemoteSubnet;

/** MAC addresses in HCN's format. */
export interface MacRangeConfig {
  readonly start: string;
  readonly end: string;
}

/** An ACL rule. Absent members match anything. Protocols are IANA numbers. */
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

/** Outbound NAT: `exceptions` and `destinations` are prefixes. */
export interface OutboundNatConfig {
  readonly exceptions: readonly string[];
  readonly destinations: readonly string[];
  readonly virtualIP?: string;
  readonly maxPortPoolUsage?: number;
}

/** A route of SDNRoute policies; `needEncap` encapsulates its traffic. */
export interface SdnRouteConfig {
  readonly destinationPrefix: string;
  readonly nextHop?: string;
  readonly needEncap: boolean;
}

/** Maps a port of the node to a port of the endpoint; without `hostIP`, on all addresses of the node. */
export interface PortMappingConfig {
  readonly protocol: 'tcp' | 'udp';
  readonly hostPort: number;
  readonly containerPort: number;
  readonly hostIP?: string;
  /** On all addresses of the node of this family. */
  readonly family?: Family;
}

/** `localRoutedVip` lets the node itself connect to mapped ports, `allowAcl` adds an ACL rule that allows their traffic. */
export interface PortMappingOptions {
  readonly localRoutedVip: boolean;
  readonly allowAcl: boolean;
}

/** The node's own endpoint on the network. Default address: the second address of the first IPv4 subnet. */
export interface HostEndpointConfig {
  readonly address: string | undefined;
}

/** The runtime's settings of one attachment, from capabilities, `args.cni` or CNI_ARGS. */
export interface AttachmentConfig {
  readonly portMappings: readonly PortMappingConfig[];
  /** The endpoint's maximum outgoing bandwidth, in bytes per second. */
  readonly egressBytes: number | undefined;
  /** In HCN's format. */
  readonly macAddress: string | undefined;
  /** Requested addresses, with or without a prefix length; HNS assigns them if there is no IPAM plugin. */
  readonly addresses: readonly string[];
}

/** The keys of a configuration that describe its network. */
export interface NetworkKeys {
  readonly networkType: NetworkType;
  readonly createNetwork: 'ifMissing' | 'never';
  /** A name, index, MAC address, IP address or prefix. */
  readonly adapter: string | undefined;
  readonly subnets: readonly SubnetConfig[];
  /** With HCN's names. */
  readonly networkFlags: readonly string[];
  readonly macPool: readonly MacRangeConfig[];
  readonly hostEndpoint: HostEndpointConfig | undefined;
  /** Of one form: that of the network type. */
  readonly remoteSubnets: readonly RemoteSubnet[];
  /** Whether `network ensure` creates a source VIP for kube-proxy. */
  readonly sourceVip: boolean;
  readonly networkPolicies: readonly Policy[];
}

/** The keys of a configuration that describe each endpoint. */
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
  /** Lines about DNS entries of the runtime that HNS cannot use. */
  readonly ignoredDns: readonly string[];
  readonly prevResult: Result | undefined;
  readonly behavior: Behavior;
}
