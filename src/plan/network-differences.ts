import type { NetworkConfig, NetworkType, SubnetConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Subnet } from '../hcn/documents.ts';
import { boundAdapter, defaultGateway, settingsOf, subnetsOf } from '../model/network-document.ts';
import { canonicalPrefix } from '../net/prefix.ts';

/** A property of an existing network that differs from the configuration. */
export interface Difference {
  readonly property: string;
  readonly configured: string;
  readonly observed: string;
}

/** Returns how an existing network differs from the configuration; empty if it can be used. `adapter` is an interface name. */
export function networkDifferences(
  { networkType, subnets, behavior }: NetworkConfig,
  adapter: string | undefined,
  observed: HostComputeNetwork,
): readonly Difference[] {
  if (behavior.existingNetwork === 'use as is') {
    if (isSameKind(networkType, observed.Type)) return [];
    return difference('networkType', networkType, observed.Type);
  }
  return [
    ...difference('networkType', networkType, observed.Type),
    ...difference('adapter', adapter, boundAdapter(observed)),
    ...(subnets.length === 0 ? [] : subnetListDifferences(subnets, subnetsOf(observed))),
  ];
}

/** Other plugins treat L2Tunnel as a kind of L2Bridge, and ICS as a kind of NAT. */
function isSameKind(configured: NetworkType, observed: string | undefined): boolean {
  const kinds = [
    ['l2bridge', 'l2tunnel'],
    ['nat', 'ics'],
  ];
  const types = [configured, observed ?? ''].map((type) => type.toLowerCase());
  return kinds.some((kind) => types.every((type) => kind.includes(type)));
}

/** `networkType is Overlay, expected L2Bridge` */
export function describeDifference({ property, configured, observed }: Difference): string {
  return `${property} ${property === 'subnets' ? 'are' : 'is'} ${observed}, expected ${configured}`;
}

/** Returns the differences as a table: one line per property, with the configured and the observed value. */
export function differenceTable(differences: readonly Difference[]): string {
  const heading = { property: '', configured: 'configuration', observed: 'HNS' };
  const rows = [heading, ...differences];
  const width = (key: 'property' | 'configured') => Math.max(...rows.map((row) => row[key].length));
  const line = ({ property, configured, observed }: Difference) =>
    `${property.padEnd(width('property'))}  ${configured.padEnd(width('configured'))}  ${observed}`;
  return rows.map(line).join('\n');
}

function subnetListDifferences(
  configured: readonly SubnetConfig[],
  observed: readonly Subnet[],
): readonly Difference[] {
  const canonical = ({ IpAddressPrefix }: Subnet) => canonicalPrefix(IpAddressPrefix) ?? IpAddressPrefix;
  const found = new Map(observed.map((subnet) => [canonical(subnet), subnet]));
  const same = configured.length === found.size && configured.every(({ prefix }) => found.has(prefix));
  const list = (prefixes: readonly string[]) => prefixes.join(', ') || 'none';
  const prefixes = { property: 'subnets', configured: list(configured.map(({ prefix }) => prefix)) };
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

/** An absent value on either side is not a difference. */
function difference(
  property: string,
  configured: string | number | undefined,
  observed: unknown,
): readonly Difference[] {
  if (configured === undefined || observed === undefined) return [];
  const row = { property, configured: String(configured), observed: String(observed) };
  return row.configured.toLowerCase() === row.observed.toLowerCase() ? [] : [row];
}
