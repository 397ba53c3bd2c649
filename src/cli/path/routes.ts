import { familyOf } from '../../net/address.ts';
import { prefixTables } from '../traffic/match-traffic.ts';
import { adapterAt, type NodeRouteRow, type NodeState } from './node-state.ts';

/** The route by which a node sends to an address: the longest prefix, then the lowest metric. */
export type RouteChoice =
  | { readonly is: 'one'; readonly route: NodeRouteRow; readonly nextHop: string; readonly text: string }
  | { readonly is: 'none' }
  /** Several routes are equally good. */
  | { readonly is: 'several'; readonly text: string };

const routeTable = prefixTables(
  (routes: readonly NodeRouteRow[]) => routes,
  ({ prefix }) => prefix,
);

export function chooseRoute(node: NodeState, address: string): RouteChoice {
  const candidates = routeTable(node.routes)(address);
  const costOf = ({ interfaceIndex, metric }: NodeRouteRow) =>
    metric + (adapterAt(node, interfaceIndex)?.metric ?? 0);
  const lowest = Math.min(...candidates.map(costOf));
  const [route, ...others] = candidates.filter((one) => costOf(one) === lowest);
  if (route === undefined) return { is: 'none' };
  if (others.some((one) => one.nextHop !== route.nextHop || one.interfaceIndex !== route.interfaceIndex))
    return { is: 'several', text: [route, ...others].map(routeText).join(' and ') };
  const nextHop = isOnLink(route) ? address : route.nextHop;
  return { is: 'one', route, nextHop, text: routeText(route) };
}

/** The source address of the node's packets through a route; undefined if the interface has none of the destination's family. */
export function sourceThrough(
  node: NodeState,
  { interfaceIndex }: NodeRouteRow,
  destination: string,
): string | undefined {
  const family = familyOf(destination);
  return adapterAt(node, interfaceIndex)?.addresses.find(({ address }) => familyOf(address) === family)
    ?.address;
}

function isOnLink({ nextHop }: NodeRouteRow): boolean {
  return nextHop === '0.0.0.0' || nextHop === '::';
}

function routeText(route: NodeRouteRow): string {
  const to = isOnLink(route) ? 'on-link' : `via ${route.nextHop}`;
  return `${route.prefix} ${to} on interface ${route.interfaceIndex}`;
}
