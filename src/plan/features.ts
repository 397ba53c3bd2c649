import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HnsVersion } from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import { aclPolicy } from './policies.ts';

interface Range extends HnsVersion {
  /** Whether later major versions have it too. */
  readonly onwards: boolean;
}

const from = (Major: number, Minor: number): Range => ({ Major, Minor, onwards: true });
const within = (Major: number, Minor: number): Range => ({ Major, Minor, onwards: false });

/**
 * What a Host Network Service can do, by its version. Windows Server 2019 got some features after newer releases had them,
 * so a feature has several ranges. https://learn.microsoft.com/virtualization/api/hcn/hns_schema
 */
const features = {
  RemoteSubnet: [from(9, 2)],
  HostRoute: [from(9, 2)],
  DSR: [within(9, 3), from(10, 2)],
  VxlanPort: [from(10, 3)],
  AclSupportForProtocol252: [from(11, 0)],
  IPv6DualStack: [from(11, 10)],
  /** Build 22410 has it; 15.0 is the first version known to be later. */
  IPv6Overlay: [from(15, 0)],
  SessionAffinity: [from(12, 0)],
  SetPolicy: [from(13, 0)],
  L4Proxy: [within(9, 5), within(10, 5), within(11, 11), within(12, 1), from(13, 1)],
  L4WfpProxy: [from(13, 2)],
  TierAcl: [from(14, 0)],
  NetworkACL: [from(15, 0)],
  NestedIpSet: [from(15, 0)],
  DisableHostPort: [from(15, 1)],
} satisfies Readonly<Record<string, readonly Range[]>>;

export type Feature = keyof typeof features;

/** Whether a host of this version has the feature. */
export function isSupported(feature: Feature, { Major, Minor }: HnsVersion): boolean {
  return features[feature].some(
    (range) => (Major === range.Major && Minor >= range.Minor) || (range.onwards && Major > range.Major),
  );
}

/** What a host of this version cannot do that a later one can. */
export function missingFeatures(version: HnsVersion): readonly Feature[] {
  const names = Object.keys(features) as readonly Feature[];
  return names.filter((feature) => !isSupported(feature, version));
}

/** A sentence for a feature the host does not have. */
export function describeMissingFeature(feature: Feature, version: HnsVersion): string {
  const ranges = features[feature].map(({ Major, Minor, onwards }) =>
    onwards ? `${Major}.${Minor}` : `${Major}.${Minor} to ${Major}.x`,
  );
  return `${feature} needs HNS ${ranges.join(' or ')}, this host has ${describeVersion(version)}`;
}

const releases: readonly (HnsVersion & { readonly windows: string })[] = [
  { Major: 7, Minor: 2, windows: 'Windows 1803' },
  { Major: 9, Minor: 1, windows: 'Windows Server 2019' },
  { Major: 9, Minor: 2, windows: 'Windows Server 2019' },
  { Major: 9, Minor: 3, windows: 'Windows Server 2019' },
  { Major: 9, Minor: 5, windows: 'Windows Server 2019' },
  { Major: 10, Minor: 3, windows: 'Windows 1903' },
  { Major: 11, Minor: 10, windows: 'Windows 2004' },
  { Major: 13, Minor: 3, windows: 'Windows Server 2022' },
  { Major: 15, Minor: 0, windows: 'Windows 11 22H2' },
  { Major: 15, Minor: 4, windows: 'Windows Server 2025' },
  { Major: 15, Minor: 5, windows: 'Windows Server 2025' },
];

/** `13.3 (Windows Server 2022)`; the number alone where it was never seen on a release. */
export function describeVersion({ Major, Minor }: HnsVersion): string {
  const release = releases.find((known) => known.Major === Major && known.Minor === Minor);
  return `${Major}.${Minor}${release === undefined ? '' : ` (${release.windows})`}`;
}

export interface PolicyFeature {
  readonly level: 'endpoint' | 'network';
  readonly type: string;
  /** Only policies whose member is, or lists, this value. */
  readonly member?: readonly [name: string, value: string];
  readonly feature: Feature;
}

/** The policies that not every host takes. What is not here is not known to need a version. */
export const policyFeatures: readonly PolicyFeature[] = [
  { level: 'endpoint', type: 'ACL', member: ['Protocols', '252'], feature: 'AclSupportForProtocol252' },
  { level: 'endpoint', type: 'L4WFPPROXY', feature: 'L4WfpProxy' },
  { level: 'endpoint', type: 'TierAcl', feature: 'TierAcl' },
  { level: 'network', type: 'RemoteSubnetRoute', feature: 'RemoteSubnet' },
  { level: 'network', type: 'VxlanPort', feature: 'VxlanPort' },
  { level: 'network', type: 'L4Proxy', feature: 'L4Proxy' },
  { level: 'network', type: 'SetPolicy', feature: 'SetPolicy' },
  { level: 'network', type: 'SetPolicy', member: ['PolicyType', 'NESTEDIPSET'], feature: 'NestedIpSet' },
  { level: 'network', type: 'NetworkACL', feature: 'NetworkACL' },
];

/** The features a policy needs, the members of a comma-separated list each by itself. */
export function featuresOfPolicy(
  policyLevel: PolicyFeature['level'],
  { Type, Settings = {} }: { readonly Type: string; readonly Settings?: Readonly<Record<string, unknown>> },
): readonly Feature[] {
  const says = (name: string, value: string) => String(Settings[name]).split(',').includes(value);
  return policyFeatures
    .filter(({ level, type }) => level === policyLevel && type === Type)
    .filter(({ member }) => member === undefined || says(...member))
    .map(({ feature }) => feature);
}

/** A feature that something in a configuration needs; `at` is its JSON pointer. */
export interface RequiredFeature {
  readonly at: string;
  readonly feature: Feature;
}

/** The features a configuration needs of the host; those of the network only where it is to be created. */
export function requiredFeatures(config: NetworkConfig, createsNetwork: boolean): readonly RequiredFeature[] {
  const policies = (level: 'endpoint' | 'network') =>
    config[`${level}Policies`].flatMap((policy, index) =>
      featuresOfPolicy(level, policy).map((feature) => ({ at: `/${level}Policies/${index}`, feature })),
    );
  const acls = config.acls.flatMap((acl, index) =>
    featuresOfPolicy('endpoint', aclPolicy(acl)).map((feature) => ({ at: `/acls/${index}`, feature })),
  );
  return [
    ...acls,
    ...(config.loopbackDSR ? [{ at: '/loopbackDSR', feature: 'DSR' as const }] : []),
    ...policies('endpoint'),
    ...(createsNetwork ? [...ofSubnets(config), ...ofFlags(config), ...policies('network')] : []),
  ];
}

/** The features a load balancer needs of the host. */
export function requiredLoadBalancerFeatures(config: LoadBalancerConfig): readonly RequiredFeature[] {
  const { directServerReturn, sessionAffinity, family, frontendVIPs } = config;
  const address = frontendVIPs.length > 0 ? '/frontendVIPs/0' : '/backends/0';
  return [
    ...(directServerReturn ? [{ feature: 'DSR', at: '/directServerReturn' } as const] : []),
    ...(sessionAffinity === 'None' ? [] : [{ feature: 'SessionAffinity', at: '/sessionAffinity' } as const]),
    ...(family === 'IPv4' ? [] : [{ feature: 'IPv6DualStack', at: address } as const]),
  ];
}

function ofSubnets({ networkType, subnets }: NetworkConfig): readonly RequiredFeature[] {
  const feature = networkType === 'Overlay' ? 'IPv6Overlay' : 'IPv6DualStack';
  return subnets.flatMap(({ prefix }, index) =>
    familyOf(prefix) === 'IPv6' ? [{ at: `/subnets/${index}/subnet`, feature } as const] : [],
  );
}

function ofFlags({ networkFlags }: NetworkConfig): readonly RequiredFeature[] {
  const index = networkFlags.indexOf('DisableHostPort');
  return index < 0 ? [] : [{ at: `/networkFlags/${index}`, feature: 'DisableHostPort' }];
}

/** Throws code 7 for the features this host does not have, each with the version it came with. */
export function checkFeatures(required: readonly RequiredFeature[], version: HnsVersion): void {
  const [first, ...others] = required
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) => `${at}: ${describeMissingFeature(feature, version)}`);
  if (first !== undefined) throw new CniError(code.invalidConfig, first, { details: others.join('; ') });
}
