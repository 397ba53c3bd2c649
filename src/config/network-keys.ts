import { familyOf, parseAddress } from '../net/address.ts';
import { parseMac } from '../net/mac.ts';
import { earlierOverlaps } from '../net/overlaps.ts';
import { contains, firstHost, formatPrefix, networkOf, type Prefix, parsePrefix } from '../net/prefix.ts';
import type { MacRange, PluginConfig, Subnet } from './generated/plugin-config.ts';
import type { HostEndpointConfig, MacRangeConfig, NetworkKeys, SubnetConfig } from './network-config.ts';
import { readNetworkPolicies } from './policy-settings.ts';
import type { Problems } from './problems.ts';
import { readRemoteSubnets } from './remote-subnets.ts';

/** The types of network policies that select the network adapter in HCN's own form. */
export const bindingPolicies: readonly string[] = [
  'NetAdapterName',
  'ProviderAddress',
  'InterfaceConstraint',
];

/** Returns canonical text, and adds to `problems` what the schema cannot check. */
export function readNetworkKeys(config: PluginConfig, problems: Problems): NetworkKeys {
  const { networkType, createNetwork, adapter, networkFlags, hostEndpoint, remoteSubnets } = config;
  const subnets = readSubnets(config.subnets ?? [], problems);
  const networkPolicies = readNetworkPolicies(config.networkPolicies ?? [], problems);
  const binding = networkPolicies.find(({ Type }) => bindingPolicies.includes(Type));
  if (adapter !== undefined && binding !== undefined) {
    problems.invalid('/adapter', adapter, `no adapter with the network policy ${binding.Type}`);
  }
  return {
    networkType,
    createNetwork: createNetwork ?? 'ifMissing',
    adapter,
    subnets,
    networkFlags: networkFlags ?? [],
    macPool: readMacPool(config.macPool ?? [], problems),
    hostEndpoint: hostEndpoint && readHostEndpoint(hostEndpoint, subnets, problems),
    remoteSubnets: readRemoteSubnets(remoteSubnets ?? [], subnets, networkPolicies, problems),
    sourceVip: config.sourceVip ?? false,
    networkPolicies,
  };
}

function readSubnets(subnets: readonly Subnet[], problems: Problems): readonly SubnetConfig[] {
  const read = subnets.map((subnet, index) => readSubnet(subnet, `/subnets/${index}`, problems));
  const overlapped = earlierOverlaps(read.map(({ prefix }) => parsePrefix(prefix)));
  read.forEach(({ prefix }, index) => {
    const other = read[overlapped.get(index) ?? Number.NaN];
    if (other === undefined) return;
    problems.invalid(`/subnets/${index}/subnet`, prefix, `a subnet that does not overlap ${other.prefix}`);
  });
  return read;
}

function readSubnet(given: Subnet, path: string, problems: Problems): SubnetConfig {
  const { subnet, gateway, vsid, vlan } = given;
  const prefix = parsePrefix(subnet);
  const network = prefix && networkOf(prefix);
  const rest = { ...(vsid !== undefined && { vsid }), ...(vlan !== undefined && { vlan }) };
  if (prefix === undefined || network?.address !== prefix.address || firstHost(prefix) === undefined) {
    problems.invalid(`${path}/subnet`, subnet, expectedSubnet(prefix, network));
    return { prefix: subnet };
  }
  if (gateway === undefined) return { prefix: formatPrefix(prefix), ...rest };
  const address = parseAddress(gateway);
  if (address === undefined || address === prefix.address || !contains(prefix, address)) {
    const expected = `a host address in ${formatPrefix(prefix)}`;
    problems.invalid(`${path}/gateway`, gateway, expected);
  }
  return { prefix: formatPrefix(prefix), gateway: address ?? gateway, ...rest };
}

function expectedSubnet(prefix: Prefix | undefined, network: Prefix | undefined): string {
  if (prefix === undefined || network === undefined) return 'a subnet such as 10.244.1.0/24';
  return prefix.address === network.address
    ? 'a larger subnet, with host addresses'
    : `${formatPrefix(network)}, without host bits`;
}

/** Ranges of MAC addresses, the lower address first. */
function readMacPool(ranges: readonly MacRange[], problems: Problems): readonly MacRangeConfig[] {
  return ranges.map((range, index) => {
    const [start, end] = [parseMac(range.start) ?? '', parseMac(range.end) ?? ''];
    if (start > end) {
      problems.invalid(`/macPool/${index}`, range, 'a start that is not above the end');
    }
    return { start, end };
  });
}

/** The host endpoint cannot have the gateway's address: HNS reserves it. */
function readHostEndpoint(
  given: { readonly address?: string },
  subnets: readonly SubnetConfig[],
  problems: Problems,
): HostEndpointConfig {
  if (given.address === undefined) return { address: undefined };
  const address = parseAddress(given.address);
  const around = subnets.filter(({ prefix }) => {
    const parsed = parsePrefix(prefix);
    return parsed !== undefined && address !== undefined && contains(parsed, address);
  });
  const isIPv4 = address !== undefined && familyOf(address) === 'IPv4';
  const path = '/hostEndpoint/address';
  if (!isIPv4 || (subnets.length > 0 && around.length === 0)) {
    problems.invalid(path, given.address, 'an IPv4 address in one of the subnets');
  } else if (around.some(({ gateway }) => gateway === address)) {
    problems.invalid(path, given.address, "an address other than the subnet's gateway, which HNS reserves");
  }
  return { address };
}
