import { isOverlay } from '../../model/network-document.ts';
import { longestMatch, prefixContains } from '../traffic/match-traffic.ts';
import { type NatRule, numberedPolicies, type Query, type Stage } from './query.ts';

interface Route {
  readonly prefix: string;
  /** As a line of the table. */
  readonly text: string;
}

/** A stage whose route with the longest matching prefix decides; `says` gets that route, or undefined. */
function routingStage<R extends Route>(
  stage: string,
  routes: readonly R[],
  { destination: { address } }: Query,
  says: (best: R | undefined) => readonly string[],
): Stage {
  const best = longestMatch(routes, ({ prefix }) => prefix, address);
  const lines = routes.map(
    (route): NatRule => ({
      stage,
      line: route.text,
      matches: prefixContains(route.prefix, address) ? 'yes' : 'no',
      decides: route === best ? 'yes' : 'no',
    }),
  );
  return { says: says(best), lines };
}

/** The routes of the pod. Without one, the pod cannot send the traffic. */
export function routeStage(query: Query): Stage {
  const { Routes = [], IpConfigurations = [] } = query.endpoint;
  const onLink = IpConfigurations.flatMap(({ IpAddress, PrefixLength }): readonly Route[] => {
    const prefix = `${IpAddress}/${PrefixLength}`;
    return PrefixLength === undefined ? [] : [{ prefix, text: `${prefix} on-link` }];
  });
  const routes = Routes.map(
    ({ DestinationPrefix: prefix, NextHop }): Route => ({ prefix, text: `${prefix} via ${NextHop}` }),
  );
  return routingStage('route', [...onLink, ...routes], query, (best) =>
    best === undefined ? [`The pod has no route to ${query.destination.address}.`] : [],
  );
}

/** The next hop of the virtual switch. */
export function sdnRouteStage(query: Query): Stage {
  const routes = numberedPolicies('SDNRoute', query.endpoint).map(({ label, settings }) => {
    const prefix = String(settings['DestinationPrefix'] ?? '');
    const nextHop = settings['NextHop'] ? ` to next hop ${settings['NextHop']}` : '';
    const encapsulation = settings['NeedEncap'] === true ? 'encapsulated' : 'not encapsulated';
    return { label, prefix, nextHop, encapsulation, text: `${label}: ${prefix}${nextHop}, ${encapsulation}` };
  });
  return routingStage('SDNRoute', routes, query, (best) =>
    best === undefined
      ? []
      : [
          `SDNRoute ${best.prefix} (${best.label}) applies: HNS sends the traffic${best.nextHop}, ${best.encapsulation}.`,
        ],
  );
}

/** On an Overlay network, the destination node. */
export function overlayStage(query: Query): Stage {
  const { network } = query;
  if (network === undefined || !isOverlay(network)) return { says: [], lines: [] };
  const stage = 'RemoteSubnetRoute';
  const routes = numberedPolicies(stage, network, 'network policy').map(({ label, settings }) => {
    const prefix = String(settings['DestinationPrefix'] ?? '');
    const node = String(settings['ProviderAddress'] ?? '');
    return { prefix, node, text: `${label}: ${prefix} at ${node}` };
  });
  return routingStage(stage, routes, query, (best) =>
    best === undefined
      ? []
      : [`RemoteSubnetRoute ${best.prefix} applies: HNS sends the traffic by VXLAN to node ${best.node}.`],
  );
}
