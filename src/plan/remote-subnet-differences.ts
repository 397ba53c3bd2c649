import type { HostComputeNetwork } from '../hcn/documents.ts';
import type { NodeRoute } from '../net/node-route.ts';
import {
  encapsulatedSubnets,
  type ObservedRemoteSubnet,
  policySubnets,
  type RemoteSubnetKeys,
  remoteSubnetChanges,
  remoteSubnetsOf,
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

/** Compares the policies of an Overlay network with the configuration. */
export function policyDifferences(
  config: RemoteSubnetKeys,
  network: HostComputeNetwork,
): readonly RemoteSubnetDifference[] {
  const wanted = encapsulatedSubnets(config);
  const given = new Set(policySubnets(config));
  const found = Map.groupBy(remoteSubnetsOf(network), ({ subnet }) => subnet);
  return remoteSubnetChanges(wanted, network)
    .filter(({ difference, subnet }) => difference !== 'additional' || !given.has(subnet))
    .map(({ subnet, difference, add }) => {
      const observed = (found.get(subnet) ?? []).map(describeNode).join(' and ');
      const expected = remoteSubnetsOf({ ...network, Policies: add })
        .map(describeNode)
        .join();
      return { subnet, difference, isOthers: false, text: textOf(subnet, difference, observed, expected) };
    });
}

/** Compares the node's routes with the configuration of an L2Bridge network, whose interface has this index. */
export function routeDifferences(
  config: RemoteSubnetKeys,
  interfaceIndex: number,
  routes: readonly NodeRoute[],
): readonly RemoteSubnetDifference[] {
  const wanted = routedSubnets(config);
  const nextHops = new Map(wanted.map(({ subnet, nextHop }) => [subnet, nextHop]));
  return routeChanges(wanted, interfaceIndex, routes).map(({ subnet, difference, remove, others }) => {
    const observed = [...remove, ...others].map(describeHop).join(' and ');
    const expected = describeHop({ nextHop: nextHops.get(subnet) ?? '', interfaceIndex });
    const isOthers = others.length > 0;
    return { subnet, difference, isOthers, text: textOf(subnet, difference, observed, expected) };
  });
}

function textOf(
  subnet: string,
  difference: RemoteSubnetDifference['difference'],
  observed: string,
  expected: string,
): string {
  switch (difference) {
    case 'missing':
      return `remote subnet ${subnet} is missing, expected ${expected}`;
    case 'different':
      return `remote subnet ${subnet} is ${observed}, expected ${expected}`;
    case 'additional':
      return `remote subnet ${subnet} (${observed}) is not in the configuration`;
  }
}

function describeNode({ providerAddress, macAddress, vsid }: ObservedRemoteSubnet): string {
  return `on node ${providerAddress} with MAC address ${macAddress} and VSID ${vsid}`;
}

function describeHop({ nextHop, interfaceIndex }: Pick<NodeRoute, 'nextHop' | 'interfaceIndex'>): string {
  return `through ${nextHop} on interface ${interfaceIndex}`;
}
