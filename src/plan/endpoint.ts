import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import { type Route as CniRoute, type Dns, isEmpty, type Result } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import {
  type Dns as HcnDns,
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type Route,
  type Subnet,
  schemaVersion,
} from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { type Family, families, familyOf } from '../net/address.ts';
import { macFromIPv4 } from '../net/mac.ts';
import { contains, defaultRoute, parsePrefix } from '../net/prefix.ts';
import { endpointName } from './identity.ts';
import { gatewayOf, isDefault, providerAddressOf, subnetsOf } from './observed-network.ts';
import { endpointPolicies } from './policies.ts';

/** Addresses an IPAM plugin assigned; undefined leaves them to HNS. */
export type Assignment = Pick<Result, 'ips' | 'routes' | 'dns'> | undefined;

/**
 * The document of an attachment's endpoint on a network that exists.
 * Throws code 7 when the IPAM plugin assigned an address outside the network's subnets.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint
 */
export function endpointDocument(
  config: NetworkConfig,
  attachment: Attachment,
  network: HostComputeNetwork & { readonly ID: Guid },
  assignment: Assignment,
): HostComputeEndpoint {
  const addresses = (assignment?.ips ?? []).map((ip) => addressOn(network, ip.address, ip.gateway));
  const asked = assignment?.routes ?? [];
  const routes = [...defaultRoutes(addresses, asked), ...furtherRoutes(addresses, asked)];
  const policies = endpointPolicies(config, isOverlay(config) ? providerAddressOf(network) : undefined);
  const dns = isEmpty(config.dns) ? (assignment?.dns ?? {}) : config.dns;
  const ipv4 = addresses.find(({ address }) => familyOf(address) === 'IPv4')?.address;
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
    ...(config.macPrefix !== undefined &&
      ipv4 !== undefined && { MacAddress: macFromIPv4(config.macPrefix, ipv4) }),
    SchemaVersion: schemaVersion,
  };
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
      return { address, length: prefix.length, gateway: gatewayOf(subnet) ?? ipamGateway };
    }
  }
  throw new CniError(
    code.invalidConfig,
    `the IPAM plugin assigned ${cidr}, which is outside network "${network.Name}"`,
    {
      details: `its subnets are ${subnets.map((subnet: Subnet) => subnet.IpAddressPrefix).join(', ') || 'none'}; make the IPAM plugin's and these agree`,
    },
  );
}

/** One default route for each family: through the gateway its IPAM route names, or else the address's. */
function defaultRoutes(addresses: readonly EndpointAddress[], asked: readonly CniRoute[]): readonly Route[] {
  return families.flatMap((family) => {
    const explicit = asked.find((route) => isDefault(route.dst) && familyOf(route.dst) === family)?.gw;
    const nextHop = explicit ?? gatewayFor(addresses, family);
    return nextHop === undefined ? [] : [{ NextHop: nextHop, DestinationPrefix: defaultRoute(family) }];
  });
}

function furtherRoutes(addresses: readonly EndpointAddress[], asked: readonly CniRoute[]): readonly Route[] {
  return asked.flatMap((route) => {
    const nextHop = route.gw ?? gatewayFor(addresses, familyOf(route.dst));
    return isDefault(route.dst) || nextHop === undefined
      ? []
      : [{ NextHop: nextHop, DestinationPrefix: route.dst }];
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
