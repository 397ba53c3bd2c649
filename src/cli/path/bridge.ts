import { addressesIn, type ObservedNetwork } from '../../hcn/documents.ts';
import { contains } from '../../net/prefix.ts';
import { uplinksOf } from './management.ts';
import {
  adapterWith,
  hasSubnetWith,
  isHostEndpoint,
  localEndpoint,
  type NodeState,
  receiverOf,
} from './node-state.ts';
import { sdnRouteDoubt, sdnRouteTo } from './sdn-route.ts';
import { type Context, leaves, lost, type Position, type Step, switchHop, unknown } from './step.ts';

type AtSwitch = Extract<Position, { at: 'virtual switch' }>;

/**
 * Forwards a frame on an L2Bridge, L2Tunnel or Transparent network by its next hop: to an endpoint, to the node, or to the physical
 * network. https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies
 */
export function forwardInBridge(position: AtSwitch, { node }: Context): readonly Step[] {
  const { network, endpoint, packet, nextHop } = position;
  const hop = (did: string, rule?: string) =>
    switchHop(network, { did, ...(rule !== undefined && { rule }), evidence: 'documented', packet });
  const toNode = (address: string, rule?: string): Step => ({
    hops: [hop('sends it to the node', rule)],
    to: { at: 'node', packet, received: receiverOf(node, address) },
  });
  const sdnRoute = endpoint && sdnRouteTo(endpoint, packet.destination);
  if (sdnRoute !== undefined) {
    if (adapterWith(node, packet.destination) !== undefined)
      return [toNode(packet.destination, sdnRoute.rule)];
    return [unknown(hop('may send it around the gateway', sdnRoute.rule), sdnRouteDoubt)];
  }
  const isHairpinned = network.Type.toLowerCase() === 'l2tunnel' && endpoint !== undefined;
  const owner = isHairpinned ? undefined : localEndpoint(node, nextHop, bridgedWith(network, node));
  if (adapterWith(node, nextHop) !== undefined && !isHairpinned) return [toNode(nextHop)];
  if (owner !== undefined && isHostEndpoint(owner, node)) return [toNode(nextHop)];
  if (owner !== undefined && addressesIn(owner).includes(packet.destination))
    return [{ hops: [hop('sends it to a local endpoint')], to: { at: 'port in', endpoint: owner, packet } }];
  if (owner !== undefined)
    return [
      lost(
        hop(`sends it to the pod with address ${nextHop}`),
        `The next hop ${nextHop} is a pod, which does not forward.`,
      ),
    ];
  if (
    !isHairpinned &&
    nextHop === packet.destination &&
    hasSubnetWith(network, nextHop) &&
    !isInLan(network, nextHop, node)
  )
    return [lost(hop('drops it'), `No endpoint of network "${network.Name}" has address ${nextHop}.`)];
  const [uplink] = uplinksOf(node, network);
  if (uplink === undefined)
    return [
      unknown(
        hop('sends it to the physical network'),
        `The adapter of network "${network.Name}" is not known.`,
      ),
    ];
  const frame = { interfaceIndex: uplink.index, nextHop, packet };
  return [leaves(hop('sends it to the physical network', isHairpinned ? 'L2Tunnel' : undefined), frame)];
}

/** The networks on the virtual switch of a network, as far as known. */
function bridgedWith(network: ObservedNetwork, node: NodeState): readonly ObservedNetwork[] {
  const [own] = uplinksOf(node, network);
  return node.inventory.networks.filter(
    (other) =>
      other.ID === network.ID ||
      (other.Type.toLowerCase() === network.Type.toLowerCase() &&
        own !== undefined &&
        uplinksOf(node, other).includes(own)),
  );
}

/** Whether an address is also in the subnet of the node: then the network's pods are on the physical network. */
export function isInLan(network: ObservedNetwork, address: string, node: NodeState): boolean {
  return uplinksOf(node, network).some(({ addresses }) => addresses.some((own) => contains(own, address)));
}
