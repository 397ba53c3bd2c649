import type { LoadBalancerConfig } from '../config/load-balancer.ts';

/** What not every HNS can do, as hcsshim's table of versions calls it. */
type LoadBalancerFeature = 'DSR' | 'IPv6DualStack' | 'SessionAffinity';

export interface RequiredFeature {
  readonly feature: LoadBalancerFeature;
  /** JSON pointer to what asks for it. */
  readonly at: string;
}

/** What HNS must be able to do for a load balancer. A preserved destination address is a part of direct server return. */
export function requiredFeatures(config: LoadBalancerConfig): readonly RequiredFeature[] {
  const { directServerReturn, preserveDip, sessionAffinity, family, frontendVIPs } = config;
  return [
    ...(directServerReturn ? [{ feature: 'DSR', at: '/directServerReturn' } as const] : []),
    ...(preserveDip ? [{ feature: 'DSR', at: '/preserveDip' } as const] : []),
    ...(sessionAffinity === 'None' ? [] : [{ feature: 'SessionAffinity', at: '/sessionAffinity' } as const]),
    ...(family === 'IPv4'
      ? []
      : [
          {
            feature: 'IPv6DualStack',
            at: frontendVIPs.length > 0 ? '/frontendVIPs/0' : '/backends/0',
          } as const,
        ]),
  ];
}
