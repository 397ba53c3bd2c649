import type { HostComputeNetwork } from '../hcn/documents.ts';
import type { NodeRoute } from '../net/node-route.ts';
import {
  encapsulatedSubnets,
  policySubnets,
  type RemoteSubnetChange,
  type RemoteSubnetKeys,
  type RouteChange,
  remoteSubnetChanges,
  routeChanges,
  routedSubnets,
} from './remote-subnets.ts';

/** How a network reaches another node's pods otherwise than the configuration says. */
export interface RemoteSubnetDifference {
  readonly subnet: string;
  readonly difference: 'missing' | 'different' | 'additional';
  /** Such as `remote subnet 10.244.2.0/24 is missing`. */
  readonly text: string;
  /** Whether another program created a route that win-hcn does not change. */
  readonly isOthers: boolean;
}

const texts = {
  missing: 'is missing',
  different: 'differs from the configuration',
  additional: 'is not in the configuration',
} as const;

function describe({ subnet, difference }: RemoteSubnetChange | RouteChange, others: readonly NodeRoute[]) {
  const text = `remote subnet ${subnet} ${texts[difference]}`;
  return { subnet, difference, text, isOthers: others.length > 0 };
}

/** Compares the policies of an Overlay network with the configuration. */
export function policyDifferences(
  config: RemoteSubnetKeys,
  network: HostComputeNetwork,
): readonly RemoteSubnetDifference[] {
  const given = new Set(policySubnets(config));
  return remoteSubnetChanges(encapsulatedSubnets(config), network)
    .filter(({ difference, subnet }) => difference !== 'additional' || !given.has(subnet))
    .map((change) => describe(change, []));
}

/** Compares the node's routes with the configuration of an L2Bridge network, whose interface has this index. */
export function routeDifferences(
  config: RemoteSubnetKeys,
  interfaceIndex: number,
  routes: readonly NodeRoute[],
): readonly RemoteSubnetDifference[] {
  const changes = routeChanges(routedSubnets(config), interfaceIndex, routes);
  return changes.map((change) => describe(change, change.others));
}
