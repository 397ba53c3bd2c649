import type { HostComputeNetwork, Policy } from '../hcn/documents.ts';
import type { NodeRoute } from '../net/node-route.ts';
import {
  encapsulatedSubnets,
  policySubnets,
  type RemoteSubnetChange,
  type RemoteSubnetKeys,
  type RouteChange,
  readRemoteSubnet,
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

/** `is missing`, or what is there instead of what is expected. */
function textOf(
  { subnet, difference }: RemoteSubnetChange | RouteChange,
  actual: readonly string[],
  wanted: readonly string[],
): string {
  if (difference === 'missing') return `remote subnet ${subnet} is missing`;
  if (difference === 'additional') return `remote subnet ${subnet} is not in the configuration`;
  return `remote subnet ${subnet} is ${unique(actual)}, expected ${unique(wanted)}`;
}

function unique(texts: readonly string[]): string {
  return [...new Set(texts)].join(' and ');
}

/** Compares the policies of an Overlay network with the configuration. */
export function policyDifferences(
  config: RemoteSubnetKeys,
  network: HostComputeNetwork,
): readonly RemoteSubnetDifference[] {
  const given = new Set(policySubnets(config));
  return remoteSubnetChanges(encapsulatedSubnets(config), network)
    .filter(({ difference, subnet }) => difference !== 'additional' || !given.has(subnet))
    .map((change) => {
      const text = textOf(change, change.remove.map(tunnelText), change.add.map(tunnelText));
      return { subnet: change.subnet, difference: change.difference, text, isOthers: false };
    });
}

/** `via 10.0.0.5, MAC address 00-15-5D-0A-0B-0C, VSID 4096` */
function tunnelText(policy: Policy): string {
  const { providerAddress, macAddress, vsid } = readRemoteSubnet(policy) ?? {};
  return `via ${providerAddress}, MAC address ${macAddress}, VSID ${vsid}`;
}

/** Compares the node's routes with the configuration of an L2Bridge network, whose interface has this index. */
export function routeDifferences(
  config: RemoteSubnetKeys,
  interfaceIndex: number,
  routes: readonly NodeRoute[],
): readonly RemoteSubnetDifference[] {
  const wanted = routedSubnets(config);
  return routeChanges(wanted, interfaceIndex, routes).map((change) => {
    const { subnet, difference, remove, others } = change;
    const routeText = (route: Pick<NodeRoute, 'nextHop'>) => `via ${route.nextHop}`;
    const text = textOf(
      change,
      [...remove, ...others].map(routeText),
      wanted.filter((one) => one.subnet === subnet).map(routeText),
    );
    return { subnet, difference, text, isOthers: others.length > 0 };
  });
}
