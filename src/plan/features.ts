import { invalidConfig } from '../cni/error.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HnsVersion } from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import { aclPolicy } from './policies.ts';

interface Range extends HnsVersion {
  /** Whether all later major versions are included. */
  readonly onwards: boolean;
}

const from = (Major: number, Minor: number): Range => ({ Major, Minor, onwards: true });
const within = (Major: number, Minor: number): Range => ({ Major, Minor, onwards: false });

/**
 * The HNS versions that support each feature. Windows Server 2019 received some features later than newer releases, so a feature can
 * have several ranges: hcsshim, hcn/hcnglobals.go, but IPv6Overlay.
 */
const features = {
  RemoteSubnet: [from(9, 2)],
  HostRoute: [from(9, 2)],
  DSR: [within(9, 3), from(10, 2)],
  VxlanPort: [from(10, 3)],
  AclSupportForProtocol252: [from(11, 0)],
  IPv6DualStack: [from(11, 10)],
  /** Introduced in build 22410 (microsoft/Windows-Containers#82); 15.0 is the first known version after it. */
  IPv6Overlay: [from(15, 0)],
  SetPolicy: [from(13, 0)],
  L4Proxy: [within(9, 5), within(10, 5), within(11, 11), within(12, 1), from(13, 1)],
  L4WfpProxy: [from(13, 2)],
  TierAcl: [from(14, 0)],
  NetworkACL: [from(15, 0)],
  NestedIpSet: [from(15, 0)],
  DisableHostPort: [from(15, 1)],
} satisfies Readonly<Record<string, readonly Range[]>>;

/** A feature of HNS, by hcsshim's name if it has one. */
export type Feature = keyof typeof features;

/** Whether a version of HNS has a feature. */
export function isSupported(feature: Feature, { Major, Minor }: HnsVersion): boolean {
  return features[feature].some(
    (range) => (Major === range.Major && Minor >= range.Minor) || (range.onwards && Major > range.Major),
  );
}

/** `TierAcl needs HNS 14.0 or later; this host has 13.3` */
export function describeMissingFeature(feature: Feature, version: HnsVersion): string {
  const ranges = features[feature].map(({ Major, Minor, onwards }) =>
    onwards ? `${Major}.${Minor} or later` : `${Major}.${Minor} to ${Major}.x`,
  );
  return `${feature} needs HNS ${ranges.join(', or ')}; this host has ${version.Major}.${version.Minor}`;
}

/** A type of policy that needs a feature. */
export interface PolicyFeature {
  readonly level: 'endpoint' | 'network';
  readonly type: string;
  /** Only policies in which this member equals or lists this value. */
  readonly member?: readonly [name: string, value: string];
  readonly feature: Feature;
}

/** The policies that need a feature. No version requirement is known for others. */
const policyFeatures: readonly PolicyFeature[] = [
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

/** Returns the features that a policy needs. */
export function featuresOfPolicy(
  policyLevel: PolicyFeature['level'],
  { Type, Settings = {} }: { readonly Type: string; readonly Settings?: Readonly<Record<string, unknown>> },
): readonly Feature[] {
  const hasValue = (name: string, value: string) => String(Settings[name]).split(',').includes(value);
  return policyFeatures
    .filter(({ level, type }) => level === policyLevel && type === Type)
    .filter(({ member }) => member === undefined || hasValue(...member))
    .map(({ feature }) => feature);
}

/** A feature that a setting needs; `at` is the setting's JSON pointer. */
export interface RequiredFeature {
  readonly at: string;
  readonly feature: Feature;
}

/** Returns the features that a configuration needs; those of the network only if ADD creates it. */
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
    ...requiredIf(config.loopbackDSR, '/loopbackDSR', 'DSR'),
    ...policies('endpoint'),
    ...(createsNetwork ? [...featuresOfNetwork(config), ...policies('network')] : []),
  ];
}

function featuresOfNetwork({
  networkType,
  subnets,
  remoteSubnets,
  networkFlags,
}: NetworkConfig): readonly RequiredFeature[] {
  const ipv6 = networkType === 'Overlay' ? 'IPv6Overlay' : 'IPv6DualStack';
  const index = networkFlags.indexOf('DisableHostPort');
  return [
    ...subnets.flatMap(({ prefix }, subnetIndex) =>
      requiredIf(familyOf(prefix) === 'IPv6', `/subnets/${subnetIndex}/subnet`, ipv6),
    ),
    ...requiredIf(networkType === 'Overlay' && remoteSubnets.length > 0, '/remoteSubnets', 'RemoteSubnet'),
    ...requiredIf(index >= 0, `/networkFlags/${index}`, 'DisableHostPort'),
  ];
}

function requiredIf(isRequired: boolean, at: string, feature: Feature): readonly RequiredFeature[] {
  return isRequired ? [{ at, feature }] : [];
}

/** Throws code 7 if this version lacks a required feature, with the versions that have it. */
export function checkFeatures(required: readonly RequiredFeature[], version: HnsVersion): void {
  const [first, ...others] = required
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) => `${at}: ${describeMissingFeature(feature, version)}`);
  if (first !== undefined) throw invalidConfig(first, others.join('; '));
}
