import { isOverlay } from '../../model/network-document.ts';
import { policyText } from '../inventory/policy-text.ts';
import { longestMatch, prefixContains } from './match-traffic.ts';
import { podRoutes } from './pod-routes.ts';
import { certainRule, numberedPolicies, type Query, type Stage } from './query.ts';

interface Route {
  readonly prefix: string;
  /** The rule as text. */
  readonly line: string;
  /** The effect if it decides. */
  readonly sentence?: string;
}

/** A stage where the route with the longest matching prefix decides. */
function routingStage(stage: string, routes: readonly Route[], query: Query, noRoute?: string): Stage {
  const { address } = query.destination;
  const best = longestMatch(routes, ({ prefix }) => prefix, address);
  const sentence = best === undefined ? noRoute : best.sentence;
  const rules = routes.map((route) =>
    certainRule(stage, route.line, prefixContains(route.prefix, address), route === best),
  );
  return { sentences: sentence === undefined ? [] : [sentence], rules };
}

/** The routes of the pod. Without one, the pod cannot send the traffic. */
export function routeStage(query: Query): Stage {
  const noRoute = `The pod has no route to ${query.destination.address}.`;
  return routingStage('route', podRoutes(query.endpoint), query, noRoute);
}

/** The next hop of the virtual switch. */
export function sdnRouteStage(query: Query): Stage {
  const type = 'SDNRoute';
  const routes = numberedPolicies(type, query.endpoint).map(({ label, settings }): Route => {
    const prefix = String(settings['DestinationPrefix']);
    const nextHop = settings['NextHop'] ? ` to next hop ${settings['NextHop']}` : '';
    const encapsulation = settings['NeedEncap'] === true ? 'encapsulated' : 'not encapsulated';
    return {
      prefix,
      line: `${label}: ${policyText({ Type: type, Settings: settings })}`,
      sentence: `SDNRoute ${prefix} (${label}) applies: HNS sends the traffic ${encapsulation}${nextHop}.`,
    };
  });
  return routingStage(type, routes, query);
}

/** On an Overlay network, the destination node. */
export function overlayStage(query: Query): Stage {
  const { network } = query;
  if (network === undefined || !isOverlay(network)) return { sentences: [], rules: [] };
  const stage = 'RemoteSubnetRoute';
  const routes = numberedPolicies(stage, network, 'network policy').map(({ label, settings }): Route => {
    const prefix = String(settings['DestinationPrefix']);
    const node = String(settings['ProviderAddress'] ?? '?');
    return {
      prefix,
      line: `${label}: ${policyText({ Type: stage, Settings: settings })}`,
      sentence: `RemoteSubnetRoute ${prefix} applies: HNS sends the traffic by VXLAN to node ${node}.`,
    };
  });
  return routingStage(stage, routes, query);
}
