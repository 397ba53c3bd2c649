import { CniError, code } from '../cni/error.ts';
import type { LoadBalancerConfig } from '../config/load-balancer.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { HnsVersion } from '../hcn/documents.ts';
import { familyOf } from '../net/address.ts';
import { aclPolicy } from './acls.ts';
import { describeMissing, type Feature, featuresOf, isSupported } from './features.ts';

/** A feature that something in a configuration needs; `at` is its JSON pointer. */
export interface RequiredFeature {
  readonly at: string;
  readonly feature: Feature;
}

/** The features a configuration needs of the host; those of the network only where it is to be created. */
export function requiredFeatures(config: NetworkConfig, createsNetwork: boolean): readonly RequiredFeature[] {
  const policies = (level: 'endpoint' | 'network') =>
    config[`${level}Policies`].flatMap((policy, index) =>
      featuresOf(level, policy).map((feature) => ({ at: `/${level}Policies/${index}`, feature })),
    );
  const acls = config.acls.flatMap((acl, index) =>
    featuresOf('endpoint', aclPolicy(acl)).map((feature) => ({ at: `/acls/${index}`, feature })),
  );
  return [
    ...acls,
    ...(config.loopbackDSR ? [{ at: '/loopbackDSR', feature: 'DSR' as const }] : []),
    ...policies('endpoint'),
    ...(createsNetwork ? [...ofSubnets(config), ...ofFlags(config), ...policies('network')] : []),
  ];
}

/** The features a load balancer needs of the host. */
export function requiredByLoadBalancer(config: LoadBalancerConfig): readonly RequiredFeature[] {
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
export function throwIfMissing(required: readonly RequiredFeature[], version: HnsVersion): void {
  const [first, ...others] = required
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) => `${at}: ${describeMissing(feature, version)}`);
  if (first !== undefined) throw new CniError(code.invalidConfig, first, { details: others.join('; ') });
}
