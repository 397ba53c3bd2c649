import { parsePrefix } from '../../net/prefix.ts';
import { longestMatch, prefixContains } from '../traffic/match-traffic.ts';
import type { NodeRouteRow, NodeState } from './node-state.ts';

/** The route by which a node sends to an address: the longest prefix, then the lowest metric. */
export type RouteChoice =
  | { readonly is: 'one'; readonly route: NodeRouteRow; readonly nextHop: string; readonly text: string }
  | { readonly is: 'none' }
  /** Several routes are equally good. */
  | { readonly is: 'several'; readonly text: string };

export function chooseRoute({ routes, adapters }: NodeState, address: string): RouteChoice {
  const best = longestMatch(routes, ({ prefix }) => prefix, address);
  if (best === undefined) return { is: 'none' };
  const length = parsePrefix(best.prefix)?.length;
  const costOf = ({ interfaceIndex, metric }: NodeRouteRow) =>
    metric + (adapters.find(({ index }) => index === interfaceIndex)?.metric ?? 0);
  const candidates = routes.filter(
    ({ prefix }) => prefixContains(prefix, address) && parsePrefix(prefix)?.length === length,
  );
  const lowest = Math.min(...candidates.map(costOf));
  const [route = best, ...others] = candidates.filter((one) => costOf(one) === lowest);
  if (others.some((one) => one.nextHop !== route.nextHop || one.interfaceIndex !== route.interfaceIndex))
    return { is: 'several', text: [route, ...others].map(routeText).join(' and ') };
  const nextHop = isOnLink(route) ? address : route.nextHop;
  return { is: 'one', route, nextHop, text: routeText(route) };
}

function isOnLink({ nextHop }: NodeRouteRow): boolean {
  return nextHop === '0.0.0.0' || nextHop === '::';
}

function routeText(route: NodeRouteRow): string {
  const to = isOnLink(route) ? 'on-link' : `via ${route.nextHop}`;
  return `${route.prefix} ${to} on interface ${route.interfaceIndex}`;
}
