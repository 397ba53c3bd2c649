import type { Dns, Result } from '../cni/result.ts';
import type { Policy } from '../hcn/documents.ts';

/** `prefix` is the subnet with host bits cleared. Without a gateway a network that exists decides. */
export interface SubnetConfig {
  readonly prefix: string;
  readonly gateway?: string;
  readonly vsid?: number;
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
  readonly priority?: number;
  readonly ruleType: 'Switch' | 'Host';
}

export interface OutboundNatConfig {
  readonly exceptions: readonly string[];
  readonly destinations: readonly string[];
  readonly virtualIP?: string;
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
}

/** What the runtime asks for one attachment, by capability, `args.cni` or CNI_ARGS. */
export interface AttachmentConfig {
  readonly portMappings: readonly PortMappingConfig[];
  /** The most an endpoint may send, in bytes a second. */
  readonly egressBytes: number | undefined;
  /** In HCN's form. */
  readonly macAddress: string | undefined;
  /** Addresses to have, which HNS is asked for where there is no IPAM plugin. */
  readonly addresses: readonly string[];
}

/** What a configuration means, in canonical text. Every vocabulary ends here. */
export interface NetworkConfig extends AttachmentConfig {
  readonly name: string;
  readonly networkType: 'L2Bridge' | 'Overlay';
  readonly createNetwork: 'ifMissing' | 'never';
  readonly adapter: string | undefined;
  readonly subnets: readonly SubnetConfig[];
  readonly dns: Dns;
  readonly macPrefix: string | undefined;
  readonly acls: readonly AclConfig[];
  readonly outboundNat: OutboundNatConfig | undefined;
  readonly sdnRoutes: readonly SdnRouteConfig[];
  readonly endpointPolicies: readonly Policy[];
  readonly networkPolicies: readonly Policy[];
  readonly prevResult: Result | undefined;
}
