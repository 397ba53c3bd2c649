import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { longestMatch } from './match-traffic.ts';

/** A route of a pod. */
export interface PodRoute {
  readonly prefix: string;
  /** Absent if the destination is on-link. */
  readonly nextHop?: string;
  /** The route as text. */
  readonly line: string;
}

/** The routes of a pod: first those of its own subnets, then those of its endpoint. */
export function podRoutes({ Routes = [], IpConfigurations = [] }: ObservedEndpoint): readonly PodRoute[] {
  const onLink = IpConfigurations.flatMap(({ IpAddress, PrefixLength }): readonly PodRoute[] => {
    const prefix = `${IpAddress}/${PrefixLength}`;
    return PrefixLength === undefined ? [] : [{ prefix, line: `${prefix} on-link` }];
  });
  const routes = Routes.map(
    ({ DestinationPrefix: prefix, NextHop: nextHop }): PodRoute => ({
      prefix,
      nextHop,
      line: `${prefix} via ${nextHop}`,
    }),
  );
  return [...onLink, ...routes];
}

/** The route by which a pod sends to an address; undefined if it has none. */
export function podRoute(endpoint: ObservedEndpoint, address: string): PodRoute | undefined {
  return longestMatch(podRoutes(endpoint), ({ prefix }) => prefix, address);
}
