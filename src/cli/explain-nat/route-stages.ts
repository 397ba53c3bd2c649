import { isOverlay } from '../../model/network-document.ts';
import { isIn, mostExact } from '../traffic/prefixes.ts';
import { type NatLine, policiesOf, type Question, type Stage } from './question.ts';

/** The pod's own routes: without one it sends nothing. */
export function routeStage({ endpoint, destination }: Question): Stage {
  const { Routes = [], IpConfigurations = [] } = endpoint;
  const { address } = destination;
  const links = IpConfigurations.flatMap(({ IpAddress, PrefixLength }) =>
    PrefixLength === undefined
      ? []
      : [{ prefix: `${IpAddress}/${PrefixLength}`, text: `${IpAddress}/${PrefixLength} without gateway` }],
  );
  const routes = [
    ...links,
    ...Routes.map(({ DestinationPrefix, NextHop }) => ({
      prefix: DestinationPrefix,
      text: `${DestinationPrefix} via ${NextHop}`,
    })),
  ];
  const best = mostExact(routes, ({ prefix }) => prefix, address);
  return {
    says: best === undefined ? [`The pod has no route to ${address}: it sends nothing there.`] : [],
    lines: linesFor('route', routes, best, address),
  };
}

/** Where the virtual switch sends it. */
export function sdnRouteStage({ endpoint, destination }: Question): Stage {
  const { address } = destination;
  const routes = policiesOf('SDNRoute', endpoint).map(({ place, settings }) => {
    const prefix = String(settings['DestinationPrefix'] ?? '');
    const nextHop = settings['NextHop'] ? ` to next hop ${settings['NextHop']}` : '';
    const how = settings['NeedEncap'] === true ? 'encapsulated' : 'not encapsulated';
    return { place, prefix, nextHop, how, text: `${place}: ${prefix}${nextHop}, ${how}` };
  });
  const best = mostExact(routes, ({ prefix }) => prefix, address);
  return {
    says:
      best === undefined
        ? []
        : [`SDNRoute ${best.prefix} (${best.place}) is for it: HNS sends it on ${best.how}${best.nextHop}.`],
    lines: linesFor('SDNRoute', routes, best, address),
  };
}

/** On an Overlay network, the node that it is sent to. */
export function overlayStage({ network, destination }: Question): Stage {
  if (network === undefined || !isOverlay(network)) return { says: [], lines: [] };
  const { address } = destination;
  const routes = policiesOf('RemoteSubnetRoute', network, 'network policy').map(({ place, settings }) => {
    const prefix = String(settings['DestinationPrefix'] ?? '');
    const node = String(settings['ProviderAddress'] ?? '');
    return { prefix, node, text: `${place}: ${prefix} at ${node}` };
  });
  const best = mostExact(routes, ({ prefix }) => prefix, address);
  return {
    says:
      best === undefined
        ? []
        : [`RemoteSubnetRoute ${best.prefix} is for it: it goes by VXLAN to node ${best.node}.`],
    lines: linesFor('RemoteSubnetRoute', routes, best, address),
  };
}

function linesFor<R extends { readonly prefix: string; readonly text: string }>(
  stage: string,
  routes: readonly R[],
  best: R | undefined,
  address: string,
): readonly NatLine[] {
  return routes.map((route) => ({
    stage,
    line: route.text,
    matches: isIn(route.prefix, address) ? 'yes' : 'no',
    decides: route === best ? 'yes' : 'no',
  }));
}
