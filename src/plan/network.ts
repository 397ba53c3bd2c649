import { CniError, code, invalidConfig } from '../cni/error.ts';
import type { NetworkConfig, NetworkType, SubnetConfig } from '../config/network-config.ts';
import { type HostComputeNetwork, type Policy, type Subnet, schemaVersion } from '../hcn/documents.ts';
import type { NetworkId } from '../hcn/guid.ts';
import { networkId } from '../model/identity.ts';
import { boundAdapter, defaultGateway, settingsOf, subnetsOf } from '../model/network-document.ts';
import { familyOf } from '../net/address.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import { canonicalPrefix, everyAddress, firstHost, parsePrefix } from '../net/prefix.ts';
import { resolveAdapterName } from './network-adapter.ts';
import { networkArgument } from './network-name.ts';

/** A network with its id: an existing one, or the document of one to create. */
export type IdentifiedNetwork = HostComputeNetwork & { readonly ID: NetworkId };

/**
 * Returns the network of an attachment: the observed one, or the document of the one to create. `adapters` are the host's if
 * `needsAdapters` is true. win-hcn never changes an existing network: a difference from the configuration throws code 7 with a table of the
 * differences in its details. Throws code 11 if the network is absent and `createNetwork` is "never".
 */
export function resolveNetwork<N extends IdentifiedNetwork>(
  config: NetworkConfig,
  observed: N | undefined,
  adapters: readonly HostAdapter[] = [],
): N | IdentifiedNetwork {
  const { name, createNetwork } = config;
  const adapter = resolveAdapterName(config, observed, adapters);
  if (observed !== undefined) {
    const differences = networkDifferences(config, adapter, observed);
    const [first] = differences;
    if (first === undefined) return observed;
    const message = `network "${name}" exists but differs from the configuration: ${describeDifference(first)}`;
    const details = `${differenceTable(differences)}\nchange the configuration, or delete the network when no pod uses it: win-hcn network delete ${networkArgument(observed)} --yes`;
    throw invalidConfig(message, details);
  }
  if (createNetwork === 'never') {
    const details =
      'wait until it is created (win-hcn ls networks shows the networks), or set "createNetwork" to "ifMissing"';
    const message = `network "${name}" does not exist and "createNetwork" is "never"`;
    throw new CniError(code.tryAgainLater, message, { details });
  }
  return networkDocument(config, adapter);
}

/**
 * Returns the document of the network that a configuration describes. `adapter` is the interface name of the adapter to bind it to;
 * undefined leaves the choice to HNS or to a policy of the configuration.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNetwork
 */
function networkDocument(config: NetworkConfig, adapter: string | undefined): IdentifiedNetwork {
  const { name, networkType, subnets, macPool } = config;
  const policies = [
    ...adapterPolicy(adapter),
    ...config.networkPolicies.filter((policy) => !isHostRoute(policy)),
  ];
  const flags = networkFlags(config);
  return {
    ID: networkId(name),
    Name: name,
    Type: networkType,
    ...(policies.length > 0 && { Policies: policies }),
    ...(macPool.length > 0 && {
      MacPool: { Ranges: macPool.map(({ start, end }) => ({ StartMacAddress: start, EndMacAddress: end })) },
    }),
    ...(subnets.length > 0 && {
      Ipams: [{ Type: 'Static', Subnets: subnets.map((subnet) => subnetDocument(config, subnet)) }],
    }),
    ...(flags !== 0 && { Flags: flags }),
    SchemaVersion: schemaVersion,
  };
}

/**
 * Returns the policies to add after the network is created: HostRoute, as flannel, Calico and OVN do for every Overlay network, so that
 * the node reaches its pods. The others are part of the created document, so that no pod uses the network without them.
 */
export function policiesAfterCreation({
  networkType,
  networkPolicies,
  behavior,
}: NetworkConfig): readonly Policy[] {
  const configured = networkPolicies.filter(isHostRoute);
  const isDefault = networkType === 'Overlay' && behavior.addsHostRoute && configured.length === 0;
  return isDefault ? [{ Type: 'HostRoute', Settings: {} }] : configured;
}

function isHostRoute({ Type }: Policy): boolean {
  return Type === 'HostRoute';
}

function adapterPolicy(adapter: string | undefined): readonly Policy[] {
  return adapter === undefined ? [] : [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }];
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NetworkFlags, in the order of its bits. */
const flagNames = [
  'EnableDnsProxy',
  'EnableDhcpServer',
  'EnableMirroring',
  'EnableNonPersistent',
  'EnablePersistent',
  'IsolateVSwitch',
  'EnableFlowSteering',
  'DisableSharing',
  'EnableFirewall',
  'SuppressMediaDisconnect',
  'DisableHostPort',
  'WeakHostReceiveAdapter',
  'WeakHostSendAdapter',
  'EnableIov',
];

function networkFlags({ networkFlags: names }: NetworkConfig): number {
  return flagNames.reduce((flags, name, bit) => (names.includes(name) ? flags | (1 << bit) : flags), 0);
}

/** A Private network has no route to the outside: it has a gateway only if the configuration names one. */
function subnetDocument(
  { networkType }: NetworkConfig,
  { prefix, gateway, vsid, vlan }: SubnetConfig,
): Subnet {
  const parsed = parsePrefix(prefix);
  const nextHop = gateway ?? (networkType === 'Private' ? undefined : parsed && firstHost(parsed));
  const policies = [
    ...(vsid === undefined ? [] : [{ Type: 'VSID', Settings: { IsolationId: vsid } }]),
    ...(vlan === undefined ? [] : [{ Type: 'VLAN', Settings: { IsolationId: vlan } }]),
  ];
  return {
    IpAddressPrefix: prefix,
    ...(policies.length > 0 && { Policies: policies }),
    ...(nextHop !== undefined && {
      Routes: [{ NextHop: nextHop, DestinationPrefix: everyAddress(familyOf(nextHop)) }],
    }),
  };
}

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
