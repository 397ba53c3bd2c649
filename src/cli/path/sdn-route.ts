import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { longestMatch } from '../traffic/match-traffic.ts';
import { numberedPolicies } from '../traffic/query.ts';

/** The SDNRoute policy of an endpoint that applies to an address; undefined if none does. */
export function sdnRouteTo(
  endpoint: ObservedEndpoint,
  address: string,
): { readonly rule: string } | undefined {
  const prefixes = numberedPolicies('SDNRoute', endpoint).map(({ settings }) =>
    String(settings['DestinationPrefix']),
  );
  const best = longestMatch(prefixes, (prefix) => prefix, address);
  return best === undefined ? undefined : { rule: `SDNRoute ${best}` };
}

export const sdnRouteDoubt =
  'What an SDNRoute does with traffic that no load balancer takes is not documented.';
