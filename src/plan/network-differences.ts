import type { NetworkConfig, NetworkType, SubnetConfig } from '../config/network-config.ts';
import type { HostComputeNetwork, Route, Subnet } from '../hcn/documents.ts';
import {
  boundAdapter,
  defaultGateway,
  defaultGateways,
  settingsOf,
  subnetsOf,
} from '../model/network-document.ts';
import { canonicalPrefix } from '../net/prefix.ts';

/** A property of an existing network that differs from the configuration. */
export interface Difference {
  readonly property: string;
  readonly configured: string;
  readonly observed: string;
}

/**
 * Returns how an existing network differs from what the configuration asks for; empty if it can be used. What HNS adds is not a difference:
 * other subnets, or the VLAN of a NAT network. `adapter` is an interface name.
 */
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

/** The properties that `networkDifferences` compares, as in `type, adapter, subnets`. */
export function comparedProperties(
  { subnets, behavior }: NetworkConfig,
  adapter: string | undefined,
): string {
  if (behavior.existingNetwork === 'use as is') return 'type';
  return [
    'type',
    ...(adapter === undefined ? [] : ['adapter']),
    ...(subnets.length === 0 ? [] : ['subnets', 'gateways', 'VLAN', 'VSID']),
  ].join(', ');
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
  const hasAll = configured.every(({ prefix }) => found.has(prefix));
  const list = (prefixes: readonly string[]) => prefixes.join(', ') || 'none';
  const prefixes = { property: 'subnets', configured: list(configured.map(({ prefix }) => prefix)) };
  return [
    ...(hasAll ? [] : [{ ...prefixes, observed: list([...found.keys()]) }]),
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
  return [
    ...difference(`gateway of ${prefix}`, gateway, gatewayIn(observed.Routes ?? [], gateway)),
    ...difference(`vsid of ${prefix}`, isolationText(vsid), isolationOf(observed, 'VSID')),
    ...difference(`vlan of ${prefix}`, isolationText(vlan), isolationOf(observed, 'VLAN')),
  ];
}

/** The wanted gateway if a default route has it, otherwise that of the first one. */
function gatewayIn(routes: readonly Route[], wanted: string | undefined): string | undefined {
  return defaultGateways(routes).find((gateway) => gateway === wanted) ?? defaultGateway(routes);
}

/** A subnet's VSID or VLAN; undefined if HNS returns one that cannot be read. */
function isolationOf({ Policies }: Subnet, type: 'VSID' | 'VLAN'): string | undefined {
  const settings = settingsOf(Policies, type);
  return settings === undefined ? 'none' : isolationText(settings['IsolationId']);
}

/** The number 0 is none. */
function isolationText(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  return id === 0 ? 'none' : String(id);
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
