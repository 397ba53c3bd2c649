import type { NetworkConfig, NetworkType, SubnetConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { boundAdapter, defaultGateway, settingsOf, subnetsOf } from '../model/network-document.ts';
import { formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';

/** One thing about a network that exists which is not as configured. */
export interface Difference {
  readonly what: string;
  readonly configured: string;
  readonly observed: string;
}

/** What of a network that exists is not as configured; empty when it can be used. `adapter` is its interface name, where known. */
export function networkDifferences(
  { networkType, subnets, behavior }: NetworkConfig,
  adapter: string | undefined,
  observed: HostComputeNetwork,
): readonly Difference[] {
  if (behavior.existingNetwork === 'use as is') {
    return isAlike(networkType, observed.Type) ? [] : difference('networkType', networkType, observed.Type);
  }
  return [
    ...difference('networkType', networkType, observed.Type),
    ...difference('adapter', adapter, boundAdapter(observed)),
    ...(subnets.length === 0 ? [] : subnetListDifferences(subnets, subnetsOf(observed))),
  ];
}

/** To the other plugins L2Tunnel is a kind of L2Bridge, and ICS a kind of NAT. */
function isAlike(configured: NetworkType, observed: string | undefined): boolean {
  const kinds = [
    ['l2bridge', 'l2tunnel'],
    ['nat', 'ics'],
  ];
  return kinds.some((kind) =>
    [configured, observed ?? ''].every((type) => kind.includes(type.toLowerCase())),
  );
}

/** `networkType: L2Bridge is configured, the network has Overlay` */
export function describeDifference({ what, configured, observed }: Difference): string {
  return `${what}: ${configured} is configured, the network has ${observed}`;
}

/** The differences side by side, one line each under a heading. */
export function differenceTable(differences: readonly Difference[]): string {
  const heading = { what: '', configured: 'configuration', observed: 'HNS' };
  const rows = [heading, ...differences];
  const width = (key: 'what' | 'configured') => Math.max(...rows.map((row) => row[key].length));
  const line = ({ what, configured, observed }: Difference) =>
    `${what.padEnd(width('what'))}  ${configured.padEnd(width('configured'))}  ${observed}`;
  return rows.map(line).join('\n');
}

function subnetListDifferences(
  configured: readonly SubnetConfig[],
  observed: readonly Subnet[],
): readonly Difference[] {
  const found = new Map(observed.map((subnet) => [canonical(subnet.IpAddressPrefix), subnet]));
  const same = configured.length === found.size && configured.every(({ prefix }) => found.has(prefix));
  const list = (prefixes: readonly string[]) => prefixes.join(', ') || 'none';
  const prefixes = { what: 'subnets', configured: list(configured.map(({ prefix }) => prefix)) };
  return [
    ...(same ? [] : [{ ...prefixes, observed: list([...found.keys()]) }]),
    ...configured.flatMap((subnet) => {
      const match = found.get(subnet.prefix);
      return match === undefined ? [] : subnetDifferences(subnet, match);
    }),
  ];
}

function subnetDifferences(
  { prefix, gateway, vsid, vlan }: SubnetConfig,
  observed: Subnet,
): readonly Difference[] {
  const isolation = (type: string) => settingsOf(observed.Policies, type)?.['IsolationId'] ?? 'none';
  return [
    ...difference(`gateway of ${prefix}`, gateway, defaultGateway(observed.Routes ?? [])),
    ...difference(`vsid of ${prefix}`, vsid ?? 'none', isolation('VSID')),
    ...difference(`vlan of ${prefix}`, vlan ?? 'none', isolation('VLAN')),
  ];
}

/** Nothing is compared where the configuration or HCN says nothing. */
function difference(
  what: string,
  configured: string | number | undefined,
  observed: unknown,
): readonly Difference[] {
  if (configured === undefined || observed === undefined) return [];
  const row = { what, configured: String(configured), observed: String(observed) };
  return row.configured.toLowerCase() === row.observed.toLowerCase() ? [] : [row];
}

function canonical(cidr: string): string {
  const prefix = parsePrefix(cidr);
  return prefix === undefined ? cidr : formatPrefix(networkOf(prefix));
}
