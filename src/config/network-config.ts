import type { Dns, Result } from '../cni/result.ts';
import type { CniVersion } from '../cni/version.ts';
import type { Policy } from '../hcn/documents.ts';

/** `prefix` is the subnet with host bits cleared. */
export interface SubnetConfig {
  readonly prefix: string;
  readonly gateway: string;
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

/** What a configuration means, in canonical text. Every vocabulary ends here. */
export interface NetworkConfig {
  readonly cniVersion: CniVersion;
  readonly name: string;
  readonly networkType: 'L2Bridge' | 'Overlay';
  readonly createNetwork: 'ifMissing' | 'never';
  readonly adapter: string | undefined;
  readonly subnets: readonly SubnetConfig[];
  readonly ipamType: string | undefined;
  readonly dns: Dns;
  readonly macPrefix: string | undefined;
  readonly acls: readonly AclConfig[];
  readonly outboundNat: OutboundNatConfig | undefined;
  readonly sdnRoutes: readonly SdnRouteConfig[];
  readonly endpointPolicies: readonly Policy[];
  readonly networkPolicies: readonly Policy[];
  readonly hcnTimeoutSeconds: number;
  readonly prevResult: Result | undefined;
}

/** What DEL needs of a configuration, and no more. */
export type TeardownConfig = Pick<NetworkConfig, 'cniVersion' | 'name' | 'ipamType' | 'hcnTimeoutSeconds'>;
