import { usableDns } from '../cni/dns.ts';
import { invalidConfig } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import { type Route as CniRoute, type Dns, isEmpty } from '../cni/result.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { type Dns as HcnDns, type HostComputeEndpoint, type Route, schemaVersion } from '../hcn/documents.ts';
import { endpointId, endpointName, replacedEndpointName } from '../model/identity.ts';
import {
  defaultGateway,
  familiesOf,
  isDefaultRoute,
  prefixesOf,
  providerAddressOf,
  subnetsOf,
} from '../model/network-document.ts';
import { type Family, families, familyOf, isUnspecified } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { macFromAddress } from '../net/mac.ts';
import { contains, everyAddress, formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import {
  type Assignment,
  type EndpointAddress,
  preferredGateways,
  resolveEndpointAddresses,
} from './endpoint-addresses.ts';
import { encapOverhead } from './network-adapter.ts';
import type { IdentifiedNetwork } from './network-plan.ts';
import { endpointPolicies, loopbackNeedsIPv4 } from './policies.ts';

/**
 * Returns the document of an attachment's endpoint. `adapters` are the host's if `needsAdapters` is true. Throws code 7 for addresses that
 * do not fit the network, and for settings that need an address family the endpoint does not have.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint
 */
export function endpointDocument(
  config: NetworkConfig,
  attachment: Attachment,
  network: IdentifiedNetwork,
  assignment: Assignment,
  adapters: readonly HostAdapter[] = [],
): HostComputeEndpoint {
  const addresses = resolveEndpointAddresses(config, network, assignment);
  const routes =
    addresses.length > 0
      ? requestedRoutes(config, addresses, assignment?.routes ?? [])
      : preferredRoutes(config, network);
  const own = addresses.map(({ address }) => address);
  const isIPv6Only = own.length > 0 && !own.some((address) => familyOf(address) === 'IPv4');
  if (config.loopbackDSR && isIPv6Only) throw invalidConfig(loopbackNeedsIPv4);
  const endpointFamilies = addresses.length > 0 ? own.map(familyOf) : familiesOf(network);
  checkPortMappings(config, endpointFamilies);
  const policies = endpointPolicies(config, {
    providerAddress: config.networkType === 'Overlay' ? providerAddressOf(network) : undefined,
    addresses: own,
    families: endpointFamilies,
    ownSubnets: subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix),
    encapOverhead: encapOverhead(config, network, adapters),
  });
  const { dns } = endpointDns(config, assignment);
  const mac = macAddressFor(config, own);
  return {
    ID: endpointId(attachment),
    Name: endpointNameFor(config, attachment),
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

/** Returns the name of an attachment's endpoint, in the form that the configuration's dialect uses. */
export function endpointNameFor({ behavior }: NetworkConfig, attachment: Attachment): string {
  return behavior.endpointName === 'with interface'
    ? endpointName(attachment)
    : replacedEndpointName(attachment);
}

/** Refuses a port mapping for an address family that the endpoint does not have. */
function checkPortMappings({ portMappings }: NetworkConfig, endpoint: readonly Family[]): void {
  const found = portMappings.find(({ hostIP, family }) => {
    const wanted = hostIP === undefined ? family : familyOf(hostIP);
    return wanted !== undefined && endpoint.length > 0 && !endpoint.includes(wanted);
  });
  if (found === undefined) return;
  throw invalidConfig(
    `host port ${found.hostPort} is mapped on ${found.hostIP ?? found.family}, but the endpoint has only ${endpoint.join()}`,
  );
}

/** Returns the MAC address that the configuration sets for these addresses; undefined leaves the choice to HNS. */
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

/** HNS uses the network's gateways for addresses that it assigns; preferred gateways need explicit default routes. */
function preferredRoutes(config: NetworkConfig, network: IdentifiedNetwork): readonly Route[] {
  const prefixes = prefixesOf(network);
  const preferred = preferredGateways(config, network).filter((gateway) =>
    prefixes.some((prefix) => contains(prefix, gateway)),
  );
  if (preferred.length === 0) return [];
  const own = subnetsOf(network).flatMap(({ Routes = [] }) => defaultGateway(Routes) ?? []);
  return defaultRoutes((family) => [...preferred, ...own].find((gateway) => familyOf(gateway) === family));
}

/**
 * Returns the default routes and the requested other routes, which no replaced plugin sets. The dialect decides whether the gateway of a
 * requested default route or the address's gateway has precedence.
 */
function requestedRoutes(
  { behavior }: NetworkConfig,
  addresses: readonly EndpointAddress[],
  requested: readonly CniRoute[],
): readonly Route[] {
  const gateways = new Map(addresses.map(({ address, gateway }) => [familyOf(address), gateway]));
  const byDefault = defaultRoutes((family) => {
    const named = requested.find(({ dst }) => isDefaultRoute(dst) && familyOf(dst) === family)?.gw;
    const own = gateways.get(family);
    const isNamed = named !== undefined && !isUnspecified(named);
    return behavior.preferIpamGateway === 'with default route' && isNamed ? named : (own ?? named);
  });
  const others = requested.flatMap(({ dst, gw }) => {
    const prefix = parsePrefix(dst);
    const NextHop = gw ?? gateways.get(familyOf(dst));
    if (prefix === undefined || isDefaultRoute(dst) || NextHop === undefined) return [];
    return [{ NextHop, DestinationPrefix: formatPrefix(networkOf(prefix)) }];
  });
  const routes = behavior.ipamRoutes === 'all' ? [...byDefault, ...others] : byDefault;
  const mixed = routes.find((route) => familyOf(route.NextHop) !== familyOf(route.DestinationPrefix));
  if (mixed === undefined) return routes;
  const { DestinationPrefix: dst, NextHop: gw } = mixed;
  throw invalidConfig(
    `route ${dst} has gateway ${gw}, which is ${familyOf(gw)}, expected an ${familyOf(dst)} address`,
    'correct the routes of the IPAM plugin',
  );
}

/** Returns one default route per family that has a gateway. */
function defaultRoutes(gatewayOf: (family: Family) => string | undefined): readonly Route[] {
  return families.flatMap((family) => {
    const NextHop = gatewayOf(family);
    return NextHop === undefined ? [] : [{ NextHop, DestinationPrefix: everyAddress(family) }];
  });
}

/** The DNS settings of an endpoint: those of the configuration, and the IPAM plugin's for members that the configuration lacks. */
export function endpointDns(config: NetworkConfig, assignment: Assignment): ReturnType<typeof usableDns> {
  const absent = Object.entries(assignment?.dns ?? {}).filter(([key]) => !(key in config.dns));
  const { dns, ignoredDns } = usableDns(
    Object.fromEntries(absent),
    (path) => `dns/${path} of the IPAM plugin`,
  );
  return { dns: { ...dns, ...config.dns }, ignoredDns: [...config.ignoredDns, ...ignoredDns] };
}

/** Converts CNI's DNS settings to HCN's. */
export function hcnDns(dns: Dns): HcnDns {
  return {
    ...(dns.domain && { Domain: dns.domain }),
    ...(dns.search?.length && { Search: dns.search }),
    ...(dns.nameservers?.length && { ServerList: dns.nameservers }),
    ...(dns.options?.length && { Options: dns.options }),
  };
}
