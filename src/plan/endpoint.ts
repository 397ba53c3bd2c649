import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import { type Route as CniRoute, type Dns, isEmpty, mergeDns, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import {
  type Dns as HcnDns,
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type Route,
  type Subnet,
  schemaVersion,
} from '../hcn/documents.ts';
import { type Family, families, familyOf } from '../net/address.ts';
import { macFromAddress } from '../net/mac.ts';
import { contains, everyAddress, formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import { endpointName } from './identity.ts';
import type { PlannedNetwork } from './network.ts';
import { defaultGateway, isDefaultRoute, providerAddressOf, subnetsOf } from './observed-network.ts';
import { endpointPolicies } from './policies.ts';

/** Addresses an IPAM plugin assigned, or that were asked for; undefined leaves them to HNS. */
export type Assignment = Pick<Result, 'ips' | 'routes' | 'dns'> | undefined;

/** The addresses the runtime asked for, where no IPAM plugin is there to take the wish. */
export function requestedAddresses({ addresses }: NetworkConfig): Assignment {
  if (addresses.length === 0) return undefined;
  return { ips: addresses.map((address) => ({ address })), routes: [], dns: {} };
}

/**
 * The document of an attachment's endpoint on a network.
 * Throws code 7 when the IPAM plugin assigned an address outside the network's subnets.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint
 */
export function endpointDocument(
  config: NetworkConfig,
  attachment: Attachment,
  network: PlannedNetwork,
  assignment: Assignment,
): HostComputeEndpoint {
  const addresses = (assignment?.ips ?? []).map((ip) => addressOn(network, ip.address, ip.gateway));
  const asked = assignment?.routes ?? [];
  const routes = [...defaultRoutes(addresses, asked), ...furtherRoutes(addresses, asked)];
  const policies = endpointPolicies(config, isOverlay(config) ? providerAddressOf(network) : undefined);
  const dns = mergeDns(config.dns, assignment?.dns ?? {});
  const mac = macAddressFor(
    config,
    addresses.map(({ address }) => address),
  );
  return {
    Name: endpointName(attachment),
    HostComputeNetwork: network.ID,
    ...(policies.length > 0 && { Policies: policies }),
    ...(addresses.length > 0 && {
      IpConfigurations: addresses.map(({ address, length }) => ({
        IpAddress: address,
        PrefixLength: length,
      })),
    }),
    ...(isEmpty(dns) ? {} : { Dns: hcnDns(dns) }),
    ...(routes.length > 0 && { Routes: routes }),
    ...(mac !== undefined && { MacAddress: mac }),
    SchemaVersion: schemaVersion,
  };
}

/** The MAC address the configuration decides for these addresses; undefined leaves it to HNS. */
export function macAddressFor(
  { macAddress, macPrefix }: NetworkConfig,
  addresses: readonly string[],
): string | undefined {
  const ipv4 = addresses.find((address) => familyOf(address) === 'IPv4');
  return (
    macAddress ??
    (macPrefix !== undefined && ipv4 !== undefined ? macFromAddress(macPrefix, ipv4) : undefined)
  );
}

interface EndpointAddress {
  readonly address: string;
  readonly length: number;
  readonly gateway: string | undefined;
}

/** The prefix length is that of the network's subnet; its gateway comes before the IPAM plugin's, which often only guesses. */
function addressOn(
  network: HostComputeNetwork,
  cidr: string,
  ipamGateway: string | undefined,
): EndpointAddress {
  const address = parsePrefix(cidr)?.address ?? cidr;
  const subnets = subnetsOf(network);
  for (const subnet of subnets) {
    const prefix = parsePrefix(subnet.IpAddressPrefix);
    if (prefix !== undefined && contains(prefix, address)) {
      return { address, length: prefix.length, gateway: defaultGateway(subnet.Routes ?? []) ?? ipamGateway };
    }
  }
  throw new CniError(code.invalidConfig, `address ${cidr} is outside network "${network.Name}"`, {
    details: `its subnets are ${subnets.map((subnet: Subnet) => subnet.IpAddressPrefix).join(', ') || 'none'}; make these and the source of the address agree`,
  });
}

/** One default route for each family: through the gateway its IPAM route names, or else the address's. */
function defaultRoutes(addresses: readonly EndpointAddress[], asked: readonly CniRoute[]): readonly Route[] {
  return families.flatMap((family) => {
    const explicit = asked.find((route) => isDefaultRoute(route.dst) && familyOf(route.dst) === family)?.gw;
    const nextHop = explicit ?? gatewayFor(addresses, family);
    return nextHop === undefined ? [] : [{ NextHop: nextHop, DestinationPrefix: everyAddress(family) }];
  });
}

function furtherRoutes(addresses: readonly EndpointAddress[], asked: readonly CniRoute[]): readonly Route[] {
  return asked.flatMap(({ dst, gw }) => {
    const prefix = parsePrefix(dst);
    const nextHop = gw ?? gatewayFor(addresses, familyOf(dst));
    if (prefix === undefined || isDefaultRoute(dst) || nextHop === undefined) return [];
    return [{ NextHop: nextHop, DestinationPrefix: formatPrefix(networkOf(prefix)) }];
  });
}

function gatewayFor(addresses: readonly EndpointAddress[], family: Family): string | undefined {
  return addresses.find(({ address }) => familyOf(address) === family)?.gateway;
}

/** CNI's DNS settings in HCN's words. */
export function hcnDns(dns: Dns): HcnDns {
  return {
    ...(dns.domain && { Domain: dns.domain }),
    ...(dns.search?.length && { Search: dns.search }),
    ...(dns.nameservers?.length && { ServerList: dns.nameservers }),
    ...(dns.options?.length && { Options: dns.options }),
  };
}

function isOverlay(config: NetworkConfig): boolean {
  return config.networkType === 'Overlay';
}
