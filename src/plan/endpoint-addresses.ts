import { CniError, code } from '../cni/error.ts';
import type { Ip, Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { defaultGateway, subnetsOf } from '../model/network-document.ts';
import { families, familyOf } from '../net/address.ts';
import { contains, firstHost, isHostIn, type Prefix, parsePrefix, secondHost } from '../net/prefix.ts';
import { hostEndpointAddress } from './host-endpoint.ts';

/** `keepsLength` where the length counts that `address` may have; otherwise, and where it has none, that of the network's subnet. */
type AssignedIp = Ip & { readonly keepsLength?: boolean };

/** Addresses an IPAM plugin assigned, or that were asked for; undefined leaves them to HNS. */
export type Assignment =
  | (Pick<Result, 'routes' | 'dns'> & { readonly ips: readonly AssignedIp[] })
  | undefined;

/** The addresses the runtime asked for, where no IPAM plugin is there to take the wish. */
export function requestedAddresses({ addresses }: NetworkConfig): Assignment {
  if (addresses.length === 0) return undefined;
  return {
    ips: addresses.map((address) => ({ address, keepsLength: true })),
    routes: [],
    dns: {},
  };
}

export interface EndpointAddress {
  readonly address: string;
  readonly length: number;
  readonly gateway: string | undefined;
}

/**
 * An assignment's addresses on a network, IPv4 first. Throws code 7 for an address that is outside the network or taken by its
 * gateway, and for two of one family, which HCN endpoints do not have.
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
    throw new CniError(
      code.invalidConfig,
      `${first.address} and ${second.address} are both ${family}, and an HCN endpoint has one address of a family`,
      { details: 'let the IPAM plugin assign one address of each family at most' },
    );
  });
}

/** The network's gateway comes before the IPAM plugin's, which often only guesses. */
function addressOn(config: NetworkConfig, network: HostComputeNetwork, ip: AssignedIp): EndpointAddress {
  const given = parsePrefix(ip.address);
  const address = given?.address ?? ip.address;
  const { subnet, prefix } = subnetWith(address, network);
  const hnsGateway = defaultGateway(subnet.Routes ?? []);
  const hostAddress = hostEndpointAddress(config, network);
  if (!isHostIn(prefix, address)) {
    throw new CniError(
      code.invalidConfig,
      `address ${address} is the first or last one of ${subnet.IpAddressPrefix}, which no pod can have`,
      { details: outOfRange },
    );
  }
  if (address === hnsGateway || address === hostAddress) {
    throw new CniError(
      code.invalidConfig,
      `address ${address} is the gateway of network "${network.Name}", which no pod can have`,
      { details: outOfRange },
    );
  }
  const preferred = preferredGateways(config, network, {
    prefix: given ?? prefix,
    gateway: ip.gateway,
  }).filter((gateway) => gateway !== address);
  const gateway = preferred.find((one) => contains(prefix, one)) ?? hnsGateway ?? ip.gateway;
  const length = given !== undefined && ip.keepsLength ? given.length : prefix.length;
  if (gateway !== undefined && !contains({ address, length }, gateway) && length > prefix.length) {
    throw new CniError(
      code.invalidConfig,
      `address ${ip.address} does not reach its gateway ${gateway}: ask for a shorter prefix length`,
    );
  }
  return { address, length, gateway };
}

const outOfRange = "take it out of the IPAM plugin's range, with host-local by a later rangeStart";

function subnetWith(
  address: string,
  network: HostComputeNetwork,
): { readonly subnet: Subnet; readonly prefix: Prefix } {
  const subnets = subnetsOf(network);
  for (const subnet of subnets) {
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    if (prefix !== undefined && contains(prefix, address)) return { subnet, prefix };
  }
  throw new CniError(code.invalidConfig, `address ${address} is outside network "${network.Name}"`, {
    details: `its subnets are ${subnets.map(({ IpAddressPrefix }) => IpAddressPrefix).join(', ') || 'none'}; make these and the source of the address agree`,
  });
}

/** What an IPAM plugin says of an address. */
interface Assigned {
  readonly prefix: Prefix;
  readonly gateway: string | undefined;
}

/**
 * The gateways that come before the network's own, first come first: the node's own endpoint, the second address of the prefix an
 * address was assigned with, those the configuration names, and the IPAM plugin's.
 */
export function preferredGateways(
  config: NetworkConfig,
  network: HostComputeNetwork,
  assigned?: Assigned,
): readonly string[] {
  const { secondHostIsGateway, gateways } = config.behavior;
  const node = hostEndpointAddress(config, network);
  const second = assigned && secondHost(assigned.prefix);
  const isSecondWanted = second !== undefined && secondHostIsGateway.includes(familyOf(second));
  return [
    ...(node === undefined ? [] : [node]),
    ...(isSecondWanted ? [second] : []),
    ...gateways,
    ...gatewaysOfIpam(config, assigned),
  ];
}

/** An IPAM plugin that knows no gateway names the first address. */
function gatewaysOfIpam({ behavior }: NetworkConfig, assigned: Assigned | undefined): readonly string[] {
  const isKnown = assigned?.gateway !== undefined && assigned.gateway !== firstHost(assigned.prefix);
  if (!isKnown) return behavior.additionalGateways;
  return behavior.preferIpamGateway === 'always' ? [assigned.gateway] : [];
}
