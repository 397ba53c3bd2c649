import { readIpamType } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { pluginName } from '../../config/open-config.ts';
import { nearestOf } from '../../config/schema-problems.ts';
import { escapeToken } from '../../config/source-paths.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { families, familyOf } from '../../net/address.ts';
import {
  canonicalPrefix,
  contains,
  firstHost,
  formatPrefix,
  networkOf,
  type Prefix,
  parsePrefix,
  secondHost,
} from '../../net/prefix.ts';
import { subnetsWithoutException } from '../../plan/outbound-nat.ts';
import { endpointPolicies } from '../../plan/policies.ts';
import { firstFew } from '../terminal/short-text.ts';
import { isInRange, type PlacedRange, type RangeSets, readRangeSets } from './host-local-ranges.ts';

/** A valid configuration, for checks of its meaning. */
export interface CheckedConfig {
  readonly keys: NetworkConfig;
  /** The configuration in win-hcn's keys. */
  readonly json: JsonObject;
  /** The plugin's `type`. */
  readonly type: string;
  /** Returns the JSON pointer in the file for one in win-hcn's keys. */
  readonly place: (path: string) => string;
}

/** A diagnostic of a member of the file, without its position. */
export interface PathDiagnostic {
  /** A JSON pointer in the file. */
  readonly path: string;
  readonly text: string;
  /** Whether it concerns the key, not its value. */
  readonly isKey?: boolean;
}

/** Finds what is valid but does not work, or not as intended. */
export type Check = (config: CheckedConfig) => readonly PathDiagnostic[];

/** https://www.cni.dev/docs/conventions/, and the one of containerd. Runtimes compare names case-sensitively. */
const capabilityNames = ['portMappings', 'ipRanges', 'bandwidth', 'dns', 'ips', 'mac', 'aliases'];

/** Warns about capabilities that are probably misspelled. Other names may belong to a runtime. */
const warnOfCapabilities: Check = ({ json: { capabilities }, place }) =>
  Object.entries(isObject(capabilities) ? capabilities : {}).flatMap(([name, enabled]) => {
    const meant = nearestOf(name, capabilityNames, name.length / 4);
    if (enabled !== true || meant === undefined || meant === name) return [];
    const path = place(`/capabilities/${escapeToken(name)}`);
    const text = `${path} is not a known capability, so the runtime passes no values; did you mean "${meant}"?`;
    return [{ path, text, isKey: true }];
  });

/** Refuses what host-local refuses in every ADD, and ranges without any address in a network that win-hcn creates or compares. */
export const refuseRanges: Check = (config) => [
  ...rangeSetsOf(config)
    .problems.filter(({ path }) => path !== '' || !isPassed(config))
    .map((problem) => {
      const path = config.place(`/ipam${problem.path}`);
      return {
        path,
        text: `${path} ${problem.text}: host-local refuses every ADD`,
        isKey: problem.path === '',
      };
    }),
  ...foreignSets(rangeSetsOf(config).sets, config).flatMap(([range]) =>
    range ? describeOutside(range, config, 'ADD fails') : [],
  ),
];

/** Warns about ranges with addresses outside of the network, and about IP families without a range. */
const warnOfRanges: Check = (config) => {
  const { sets, problems } = rangeSetsOf(config);
  const subnets = subnetsOf(config);
  const foreign = foreignSets(sets, config);
  const outside = sets
    .filter((set) => subnets.length > 0 && !foreign.includes(set))
    .flat()
    .filter(({ start, end }) => !isInside(start, subnets) || !isInside(end, subnets));
  const isKnown = sets.length > 0 && problems.length === 0 && !isPassed(config);
  const missing = families.flatMap((family) => {
    const subnet = subnets.find(({ address }) => familyOf(address) === family);
    const hasRange = sets.flat().some(({ start }) => familyOf(start) === family);
    if (!isKnown || subnet === undefined || hasRange) return [];
    const path = config.place('/ipam');
    const text = `${path} has no ${family} range, but the network has ${formatPrefix(subnet)}: pods get no ${family} address`;
    return [{ path, text, isKey: true }];
  });
  const consequence = 'ADD fails for addresses that the network does not have';
  return [...outside.map((range) => describeOutside(range, config, consequence)), ...missing];
};

/** The range sets of host-local, with JSON pointers in win-hcn's keys. */
function rangeSetsOf({ json }: CheckedConfig): RangeSets {
  const { ipam } = json;
  const isHostLocal = pluginName(readIpamType(json) ?? '') === 'host-local';
  return isHostLocal && isObject(ipam) ? readRangeSets(ipam) : { sets: [], problems: [] };
}

/** The sets without an address in the network, if an existing network must have the configured subnets. Each ADD takes an address from every set. */
function foreignSets(sets: RangeSets['sets'], config: CheckedConfig): RangeSets['sets'] {
  const subnets = subnetsOf(config);
  if (subnets.length === 0 || config.keys.behavior.existingNetwork !== 'must match') return [];
  const overlaps = (range: PlacedRange) =>
    isInside(range.start, subnets) || subnets.some(({ address }) => isInRange(range, address));
  return sets.filter((set) => !set.some(overlaps));
}

function subnetsOf({ keys }: CheckedConfig): readonly Prefix[] {
  return keys.subnets.flatMap(({ prefix }) => parsePrefix(prefix) ?? []);
}

function isInside(address: string, subnets: readonly Prefix[]): boolean {
  return subnets.some((subnet) => contains(subnet, address));
}

/** Whether the runtime may pass further ranges. */
function isPassed({ json: { capabilities } }: CheckedConfig): boolean {
  return isObject(capabilities) && capabilities['ipRanges'] === true;
}

/** A diagnostic of the member that puts a range outside the network. */
function describeOutside(
  { start, end, members, path: inIpam }: PlacedRange,
  config: CheckedConfig,
  consequence: string,
): PathDiagnostic {
  const subnets = subnetsOf(config);
  const ends = Object.entries({ rangeStart: start, rangeEnd: end });
  const [key] = ends.find(
    ([name, address]) => members[name.toLowerCase()] !== undefined && !isInside(address, subnets),
  ) ?? ['subnet'];
  const path = config.place(`/ipam${inIpam}/${key}`);
  const family = familyOf(start);
  const own = subnets.filter(({ address }) => familyOf(address) === family).map(formatPrefix);
  const network = own.join(', ') || `no ${family} subnet`;
  const value = JSON.stringify(members[key.toLowerCase()]);
  return { path, text: `${path} is ${value}, but the network has ${network}: ${consequence}` };
}

/** Warns about a subnet for HNS to assign from that is not a network address: containerd's script writes 172.28.112.0/12. */
const warnOfHostBits: Check = ({ json, place }) => {
  const { subnet } = isObject(json['ipam']) ? foldKeys(json['ipam']) : {};
  const prefix = typeof subnet === 'string' ? parsePrefix(subnet) : undefined;
  if (prefix === undefined || readIpamType(json) !== undefined) return [];
  const network = formatPrefix(networkOf(prefix));
  if (network === formatPrefix(prefix)) return [];
  const path = place('/ipam/subnet');
  const effect = `if the network does not exist, win-hcn creates it with ${network}`;
  return [{ path, text: `${path} is "${subnet}", which is not a network address: ${effect}` }];
};

/** Warns about a file for nat with which a runtime drops port mappings: nerdctl writes none of the capabilities. */
const warnOfMissingPortMappings: Check = ({ json: { capabilities }, type, place }) => {
  if (pluginName(type) !== 'nat') return [];
  if (isObject(capabilities) && Object.hasOwn(capabilities, 'portMappings')) return [];
  const path = place(capabilities === undefined ? '/type' : '/capabilities');
  const text = `${place('')} has no capability "portMappings", so the runtime maps no ports, as with nerdctl run -p`;
  return [{ path, text: text.trimStart(), isKey: true }];
};

/** Warns about pod subnets of other nodes that outbound NAT does not except: their pods see the address of this node. */
const warnOfTranslatedSubnets: Check = ({ keys, place }) => {
  const routed = keys.networkPolicies
    .filter(({ Type }) => Type === 'RemoteSubnetRoute')
    .flatMap(({ Settings }) => canonicalPrefix(String(Settings?.['DestinationPrefix'])) ?? []);
  const policies = endpointPolicies(
    { ...keys, prevResult: undefined },
    { providerAddress: undefined, addresses: [], families: [], ownSubnets: [], encapOverhead: undefined },
  );
  const subnets = [...keys.remoteSubnets.map(({ subnet }) => subnet), ...routed];
  const translated = subnetsWithoutException(policies, subnets);
  if (translated.length === 0) return [];
  const path = place(keys.outboundNat === undefined ? '/endpointPolicies' : '/outboundNat');
  const text = `${path} has no OutBoundNAT exception for ${firstFew(translated)}: pods there see the address of this node`;
  return [{ path, text }];
};

/** Whether a warning is about a gateway that only a router can have: who knows the router, or the node, need not be warned. */
export function isAboutGateway({ path }: Pick<PathDiagnostic, 'path'>): boolean {
  return path.endsWith('/gateway');
}

/** Warns about an L2Bridge network whose gateway the node does not have: the virtual switch has none, unlike that of Overlay and NAT. */
const warnOfGateway: Check = ({ keys, place }) => {
  const { networkType, createNetwork, hostEndpoint, subnets, behavior } = keys;
  if (networkType !== 'L2Bridge' || createNetwork === 'never' || hostEndpoint !== undefined) return [];
  const at = subnets.findIndex(({ prefix }) => familyOf(prefix) === 'IPv4');
  const { prefix = '', gateway } = subnets[at] ?? {};
  const used = gateway ?? firstHost(parsePrefix(prefix) ?? { address: '0.0.0.0', length: 32 });
  if (used === undefined || behavior.existingNetwork !== 'must match') return [];
  const text = `the pods' gateway ${used} must be a router: without one, set hostEndpoint, or pods reach no other subnet`;
  return [{ path: place(`/subnets/${at}/gateway`), text }];
};

/** Warns about ranges of host-local with the address of the node's own endpoint: a pod gets it, or its ADD fails. */
const warnOfHostEndpoint: Check = (config) => {
  const { hostEndpoint } = config.keys;
  const [subnet] = subnetsOf(config).filter(({ address }) => familyOf(address) === 'IPv4');
  const address = hostEndpoint && (hostEndpoint.address ?? (subnet && secondHost(subnet)));
  if (address === undefined) return [];
  return rangeSetsOf(config)
    .sets.flat()
    .filter((range) => range.gateway !== address && isInRange(range, address))
    .map(({ path: inIpam }) => {
      const path = config.place(`/ipam${inIpam}/subnet`);
      return {
        path,
        text: `${path} has ${address}, the address of hostEndpoint: start after it, with rangeStart`,
      };
    });
};

/** The warnings about valid configurations. */
export const warningChecks: readonly Check[] = [
  warnOfCapabilities,
  warnOfRanges,
  warnOfHostBits,
  warnOfMissingPortMappings,
  warnOfTranslatedSubnets,
  warnOfGateway,
  warnOfHostEndpoint,
];
