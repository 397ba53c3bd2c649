import { invalidConfig } from '../cni/error.ts';
import type { Ip, Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { defaultGateway, subnetsOf } from '../model/network-document.ts';
import { families, familyOf } from '../net/address.ts';
import {
  contains,
  firstHost,
  formatPrefix,
  isHostIn,
  networkOf,
  type Prefix,
  parsePrefix,
  secondHost,
} from '../net/prefix.ts';
import { hostEndpointAddress } from './host-endpoint.ts';

/** `keepsLength`: a prefix length in `address` is used as it is. By default the subnet's prefix length replaces it. */
type AssignedIp = Ip & { readonly keepsLength?: boolean };

/** Addresses from an IPAM plugin or requested by the runtime; undefined leaves the choice to HNS. */
export type Assignment =
  | (Pick<Result, 'routes' | 'dns'> & { readonly ips: readonly AssignedIp[] })
  | undefined;

/** Returns the addresses that the runtime requests, for configurations without an IPAM plugin. */
export function requestedAddresses({ addresses }: NetworkConfig): Assignment {
  if (addresses.length === 0) return undefined;
  return { ips: addresses.map((address) => ({ address, keepsLength: true })), routes: [], dns: {} };
}

/** An address of an endpoint with its prefix length and gateway. */
export interface EndpointAddress {
  readonly address: string;
  readonly length: number;
  readonly gateway: string | undefined;
}

/**
 * Returns an assignment's addresses on a network, IPv4 first. Throws code 7 for an address outside the network, for one that HNS
 * reserves, and for two addresses of one family: an HCN endpoint has at most one.
 */
export function resolveEndpointAddresses(
  config: NetworkConfig,
  network: HostComputeNetwork,
  assignment: Assignment,
): readonly EndpointAddress[] {
  const addresses = (assignment?.ips ?? []).map((ip) => addressOn(config, network, ip));
  return families.flatMap((family) => {
    const [first, second] = addresses.filter(({ address }) => familyOf(address) === family);
    if (first === undefined || second === undefined) return first ?? [];
    throw invalidConfig(
      `${first.address} and ${second.address} are both ${family}: an HCN endpoint has at most one address per family`,
      'configure the IPAM plugin to assign at most one address per family',
    );
  });
}

/** The network's gateway takes precedence over the IPAM plugin's, which is often a guess. */
function addressOn(config: NetworkConfig, network: HostComputeNetwork, ip: AssignedIp): EndpointAddress {
  const given = parsePrefix(ip.address);
  const address = given?.address ?? ip.address;
  const { subnet, prefix } = subnetWith(address, network);
  const hnsGateway = defaultGateway(subnet.Routes ?? []);
  const hostAddress = hostEndpointAddress(config, network);
  const length = given !== undefined && ip.keepsLength ? given.length : prefix.length;
  const narrow = [prefix, { address, length }].find((one) => !isHostIn(one, address));
  const reserved = narrow
    ? `the first or last address of ${formatPrefix(networkOf(narrow))}`
    : address === hnsGateway || address === hostAddress
      ? `the gateway of network "${network.Name}"`
      : undefined;
  if (reserved !== undefined) {
    throw invalidConfig(
      `address ${address} cannot be assigned: it is ${reserved}`,
      "exclude it from the IPAM plugin's range; with host-local, raise rangeStart",
    );
  }
  const preferred = preferredGateways(config, network, {
    prefix: given ?? prefix,
    gateway: ip.gateway,
  }).filter((gateway) => gateway !== address);
  const gateway = preferred.find((candidate) => contains(prefix, candidate)) ?? hnsGateway ?? ip.gateway;
  if (gateway !== undefined && !contains({ address, length }, gateway) && length > prefix.length) {
    throw invalidConfig(
      `address ${ip.address} cannot reach its gateway ${gateway}: request a shorter prefix length`,
    );
  }
  return { address, length, gateway };
}

function subnetWith(
  address: string,
  network: HostComputeNetwork,
): { readonly subnet: Subnet; readonly prefix: Prefix } {
  const subnets = subnetsOf(network);
  for (const subnet of subnets) {
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    if (prefix !== undefined && contains(prefix, address)) return { subnet, prefix };
  }
  const prefixes = subnets.map(({ IpAddressPrefix }) => IpAddressPrefix).join(', ') || 'none';
  throw invalidConfig(
    `address ${address} is outside network "${network.Name}"`,
    `subnets of the network: ${prefixes}; correct them or the source of the address`,
  );
}

/** The part of an IPAM plugin's result that concerns gateways. */
interface AssignedGateway {
  readonly prefix: Prefix;
  readonly gateway: string | undefined;
}

/**
 * Returns the gateways that take precedence over the network's own, in order: the host endpoint, the second address of the assigned
 * prefix, the configuration's gateways, and the IPAM plugin's.
 */
export function preferredGateways(
  config: NetworkConfig,
  network: HostComputeNetwork,
  assigned?: AssignedGateway,
): readonly string[] {
  const { secondHostIsGateway, gateways } = config.behavior;
  const host = hostEndpointAddress(config, network);
  const second = assigned && secondHost(assigned.prefix);
  const usesSecond = second !== undefined && secondHostIsGateway.includes(familyOf(second));
  return [
    ...(host === undefined ? [] : [host]),
    ...(usesSecond ? [second] : []),
    ...gateways,
    ...gatewaysOfIpam(config, assigned),
  ];
}

/** An IPAM plugin without a configured gateway returns the prefix's first address. */
function gatewaysOfIpam(
  { behavior }: NetworkConfig,
  assigned: AssignedGateway | undefined,
): readonly string[] {
  const isConfigured = assigned?.gateway !== undefined && assigned.gateway !== firstHost(assigned.prefix);
  if (!isConfigured) return behavior.additionalGateways;
  return behavior.preferIpamGateway === 'always' ? [assigned.gateway] : [];
}
