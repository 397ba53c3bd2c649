import { knownKeys } from '../../config/generated/plugin-config-keys.ts';
import type { KnownKeys } from '../../config/known-keys.ts';
import { isObject } from '../../json/members.ts';
import { parseAddress } from '../../net/address.ts';
import { parsePrefix } from '../../net/prefix.ts';

/** Replaces a value that is not on the allow-list. */
export const omittedMark = '<omitted>';

/** Removes from the files of one bundle what is not known to be harmless. */
export interface Cleaner {
  /** A JSON value with the values of known names only; the others are replaced. */
  clean(value: unknown): unknown;
  /** A text without the values that `clean` replaced under a name such as `password`, and without the parts of paths that it replaced. */
  hide(text: string): string;
  /** How many values `clean` replaced. */
  count(): number;
}

/** Returns a cleaner for all files of a bundle. */
export function newCleaner(): Cleaner {
  const secrets = new Set<string>();
  let count = 0;
  const omit = (value: unknown, name: string): string => {
    count += 1;
    for (const text of textsIn(value, secretName.test(name))) secrets.add(text);
    return omittedMark;
  };
  const clean = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, name));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          isHarmless(key) ? key : omit(key, name),
          known.has(key.toLowerCase()) || isPlain(member) ? clean(member, key) : omit(member, key),
        ]),
      );
    return typeof value === 'string' && !isHarmless(value) ? omit(value, name) : value;
  };
  return {
    clean: (value) => clean(value),
    hide: (text) => {
      const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length);
      return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, () => omittedMark), text);
    },
    count: () => count,
  };
}

const secretName = /pass|secret|token|key|cred|auth/i;
/** Shorter texts occur in other words. */
const shortest = 6;

/** The texts in a value, as they are and as in JSON: if not `whole`, only the parts of paths that are not harmless. */
function textsIn(value: unknown, whole: boolean): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((member) => textsIn(member, whole));
  if (typeof value !== 'string') return [];
  const parts = whole ? [value] : value.split(/[\\/]/).filter((part) => !isHarmless(part));
  return parts
    .filter(({ length }) => length >= shortest)
    .flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
}

/**
 * Whether a text has the form of a name, a path, an address or a URL without users and parameters. A text under a known name
 * can still be a connection string or a URL with a password.
 */
export function isHarmless(text: string): boolean {
  return (
    !secretForms.some((form) => form.test(text)) && /^[\p{L}\p{N} ._()#+:\\/,%~*{}[\]-]{0,260}$/u.test(text)
  );
}

/** Tokens and keys with a form of their own, and values after a word such as `password`. */
const secretForms = [
  /\beyJ[\w-]{8}|\b(?:gh[oprsu]|github_pat|npm|sk_live|dop_v1)_\w{9}|\b(?:glpat|xox[a-z])-\w{9}|\b(?:AKIA|ASIA|AIza|SG\.|hvs\.|ya29\.|MII[BE])[\w/+-]{9}|\b[a-z0-9]{6}\.[a-z0-9]{16}\b|SECRET-KEY|PRIVATE KEY/,
  /(?<![a-z0-9])(?:(?:passw(?:or)?d|pwd|secret|token|key) *: *\S{6}|passw(?:or)?d +\S{6}|(?:basic|bearer) +\S{16})/i,
];

/** Whether a value is harmless under every name. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string')
    return value === '' || parseAddress(value) !== undefined || parsePrefix(value) !== undefined;
  return typeof value === 'boolean' || value === null;
}

/** Names in documents of HCN and HNS, beyond those of policies in a configuration. */
const namesOfHcn = `ActivityId AdapterNetCfgInstanceId AdditionalParams AddressPrefix AllocationOrder Allocators CompartmentGuid CompartmentId
  Containers ContainerId CreateProcessingStartTime CurrentEndpointCount Data DestinationPrefix DistributionType DNSServerCompartment
  DNSServerList DNSSuffix Domain DrMacAddress Dns EncapOverhead EndMacAddress EndpointId Error ErrorCode Extensions Extra FrontendVIPs
  GatewayAddress GatewayAddressV6 Health HostComputeEndpoints HostComputeNamespace HostComputeNetwork ILB IpAddress IpAddressPrefix
  IpConfigurations Ipams IPAddress IpSubnets IPv6 IPv6Address IPv6PrefixLength IsApplied IsDefault IsDSR IsEnabled IsolationId
  IsRemoteEndpoint LastErrorCode LastUpdateTime LayeredOn MacAddress MacPool MacPools Major ManagementIP ManagementPort
  MaxConcurrentEndpoints Metric Minor Namespace NamespaceId NATState NatName NetworkAdapterName NextHop ObjectType Options Output PA
  ParentId PortFriendlyName PortMappings PortOperationTime Prefix PrefixLength Ranges RDID References ResourceList Resources Routes SchemaVersion Search
  ServerList SharedContainers SourceMac SourceVIP StartMacAddress StartTime State SubnetIPAddress Subnets Success SwitchGuid SwitchName SwitchOperationTime
  Tag TotalEndpoints Type Version VfpOperationTime VIPs VirtualNetwork VirtualNetworkName VLAN VSID`;

/** Names in CNI configurations of other plugins. */
const namesOfPlugins = `AdditionalArgs additionalRoutes backend bandwidth bridge bridgeName burst clusterCIDR clusterNetworkPrefix
  containerPort dataDir delegate dst egressRate endpointMacPrefix eniIPAddresses enableLoopbackDSR executionMode gatewayIPAddress gw
  hostIP hostPort ingressRate ipsToRouteViaHost isDefaultGateway isGateway isolation log_file_path log_level logLevel logTarget master
  mode multiTenancy network nodename optionalFlags policies portMappings range rangeEnd rangeStart ranges resolvConf routes serviceCIDR
  subnetPrefix Value version vpcCIDRs vxlan_mac_prefix vxlan_vni windowsSettings windows_use_single_network`;

/** Names in the log of win-hcn, except for those of texts. */
const namesOfLog = `call code command containerId document event exitCode hresult id ifname milliseconds netns plugin pod request time`;

const known: ReadonlySet<string> = new Set(
  [...namesIn(knownKeys), ...[namesOfHcn, namesOfPlugins, namesOfLog].flatMap((names) => names.split(/\s+/))]
    .map((name) => name.toLowerCase())
    // Arguments of a pod or a plugin can be anything.
    .filter((name) => !secretName.test(name) && !['args', 'runtimeconfig', 'prevresult'].includes(name)),
);

function namesIn({ keys = {}, types = {}, items }: KnownKeys): readonly string[] {
  const inside = [...Object.values(keys), ...Object.values(types), ...(items === undefined ? [] : [items])];
  return [...Object.keys(keys), ...inside.flatMap(namesIn)];
}
